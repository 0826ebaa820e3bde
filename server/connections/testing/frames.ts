/** The frame of the article: a progress notification of MCP as text in a chunk of a chat completion. */
export function inquiryFrame(meta: object, more: object = {}): string {
  const params = { meta, progressToken: 1, progress: 0, total: null, message: null, method: 'notifications/progress' };
  const notification = { method: 'notifications/progress', params, jsonrpc: '2.0' };
  return chunkOf({ chatos_additional_data: { mcp_progress_notification_data: JSON.stringify(notification) } }, more);
}

export function asks(inquiryId: string, question: string): string {
  return inquiryFrame({ question, inquiryId, type: 'INQUIRY' });
}

export function chunkOf(delta: object, more: object = {}): string {
  const agent_info = { name: 'Tool Calling Agent', run_id: '202d02d5' };
  const chunk = {
    id: 'chatcmpl-1',
    created: 1756272472,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta }],
  };
  return JSON.stringify({ ...chunk, agent_info, ...more });
}

export const DONE = '[DONE]';
