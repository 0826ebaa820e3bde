/** What a first sign of life tells the client: the frame of the article, as on /mcp. */
export type Inquired = { question: string; inquiryId: string };

const INQUIRY_META = 'dev.beckon/inquiry';
/** Far below the steps of any tool: what the upstream reports later is higher. */
const STEP = 1e-6;

/**
 * One sign of life on the stream of a call that waits: progress where the client gave a token for it,
 * which resets its timers, else a comment, which only keeps the connection.
 */
export function signOfLife(token: unknown, count: number, inquired?: Inquired): string {
  if (token === undefined) return ': waiting for a person\n\n';
  const about = inquired && { ...inquired, type: 'INQUIRY' };
  const params = {
    ...(about ? { meta: about, _meta: { [INQUIRY_META]: about, ...about } } : {}),
    progressToken: token,
    progress: count * STEP,
    message: 'Waiting for a person to decide',
  };
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`;
}
