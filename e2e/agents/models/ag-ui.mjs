import { EventType } from '@ag-ui/core';

/** An AG-UI agent without a model: it asks about the calls of its user's script, and makes those that are approved. */
export function runAgent({ threadId, runId, messages, resume = [] }) {
  const [turn = []] = JSON.parse(messages[0].content);
  const finished = { type: EventType.RUN_FINISHED, threadId, runId };
  const toolCalls = turn.map(([name, args], at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  if (resume.length === 0) {
    const interrupts = toolCalls.map(({ id }) => ({ id: `int_${id}`, reason: 'tool_call', toolCallId: id }));
    const calling = { id: 'asked', role: 'assistant', content: '', toolCalls };
    return { messages: [calling], finished: { ...finished, outcome: { type: 'interrupt', interrupts } } };
  }
  const said = resume.map(({ interruptId, status, payload, metadata }) => {
    const [, args] = turn[toolCalls.findIndex(({ id }) => interruptId === `int_${id}`)];
    const { approved = false, editedArgs = args, reason = metadata?.reason } = status === 'resolved' ? payload : {};
    if (approved !== true) return reason;
    console.log(`ran ${editedArgs.table}`);
    return `Deleted ${editedArgs.table}.`;
  });
  return { messages: [{ id: 'told', role: 'assistant', content: said.join(' | ') }], finished };
}
