import { callsOf, type FunctionName } from './calls.ts';

type Flow = {
  begins: FunctionName[];
  /** What belongs to another flow, or to everything: its files are not opened. */
  without: string[];
  /** The files that a reader opens by "go to definition", in the order in which they are called. */
  files: string[];
};

const EVERYWHERE = ['server/platform/', 'shared/'];

/** From the function where each flow begins; what a function gets as a parameter begins anew where it is declared. */
export const FLOWS: Record<string, Flow> = {
  ask: {
    begins: ['server/inquiries/ask.ts#ask'],
    without: [...EVERYWHERE, 'server/people/passkeys/'],
    files: [
      'server/inquiries/ask.ts',
      'server/inquiries/check.ts',
      'server/inquiries/state.ts',
      'server/sources/recipients.ts',
      'server/inquiries/same.ts',
      'server/inquiries/lease.ts',
      'server/inquiries/approved.ts',
      'server/inquiries/assured.ts',
      'server/sources/escalation.ts',
      'server/inquiries/store.ts',
      'server/inquiries/resolve.ts',
      'server/inquiries/withdraw.ts',
      'server/inquiries/open.ts',
      'server/inquiries/seal.ts',
      'server/sources/store.ts',
      'server/inquiries/validity.ts',
      'server/deliveries/push/want.ts',
      'server/inquiries/versions.ts',
      'server/deliveries/inquiry-devices.ts',
      'server/deliveries/enqueue.ts',
      'server/inquiries/reach.ts',
      'server/deliveries/answer-body.ts',
    ],
  },
  answer: {
    begins: ['server/inquiries/answer.ts#answerInquiry'],
    without: [...EVERYWHERE, 'server/people/passkeys/'],
    files: [
      'server/inquiries/answer.ts',
      'server/inquiries/store.ts',
      'server/inquiries/hands.ts',
      'server/inquiries/given.ts',
      'server/inquiries/assured.ts',
      'server/inquiries/seal.ts',
      'server/inquiries/expire.ts',
      'server/inquiries/resolve.ts',
      'server/inquiries/lease.ts',
      'server/deliveries/inquiry-devices.ts',
      'server/inquiries/approved.ts',
      'server/inquiries/versions.ts',
      'server/inquiries/validity.ts',
      'server/deliveries/push/want.ts',
      'server/deliveries/enqueue.ts',
      'server/inquiries/withdraw.ts',
      'server/deliveries/answer-body.ts',
    ],
  },
  push: {
    begins: ['server/deliveries/push/pusher.ts#createPusher'],
    without: EVERYWHERE,
    files: [
      'server/deliveries/push/pusher.ts',
      'server/deliveries/push/take.ts',
      'server/deliveries/push/due.ts',
      'server/deliveries/push/protocol/request.ts',
      'server/deliveries/push/settle.ts',
      'server/deliveries/worker.ts',
      'server/deliveries/push/quiet.ts',
      'server/deliveries/push/digest.ts',
    ],
  },
  webhook: {
    begins: ['server/deliveries/dispatch.ts#createDispatcher'],
    without: EVERYWHERE,
    files: [
      'server/deliveries/dispatch.ts',
      'server/deliveries/queues.ts',
      'server/deliveries/worker.ts',
      'server/deliveries/pause.ts',
      'server/deliveries/settle.ts',
      'server/deliveries/failing.ts',
    ],
  },
  'gated call': {
    begins: ['server/mcp/gate/http/routes.ts#gateRoutes'],
    without: [...EVERYWHERE, 'server/inquiries/', 'server/automation/rules/'],
    files: [
      'server/mcp/gate/http/routes.ts',
      'server/mcp/request.ts',
      'server/mcp/gate/http/message.ts',
      'server/mcp/messages.ts',
      'server/mcp/gate/http/gate-request.ts',
      'server/mcp/gate/http/elicit.ts',
      'server/mcp/gate/http/call.ts',
      'server/mcp/gate/continuations.ts',
      'server/mcp/gate/http/forward.ts',
      'server/mcp/gate/elicitation/asking.ts',
      'server/mcp/gate/http/headers.ts',
      'server/mcp/reply-stream.ts',
      'server/mcp/json-text.ts',
      'server/dialects/elicitation/elicitation.ts',
      'server/mcp/gate/hold.ts',
      'server/mcp/gate/call.ts',
      'server/mcp/hold.ts',
      'server/mcp/sse.ts',
    ],
  },
  rule: {
    begins: ['server/automation/rules/lists.ts#createLists', 'server/automation/rules/by-rule.ts#ruleOn'],
    without: [...EVERYWHERE, 'server/inquiries/', 'server/deliveries/'],
    files: [
      'server/automation/rules/lists.ts',
      'server/automation/rules/by-rule.ts',
      'server/automation/yolo/store.ts',
      'server/automation/rules/rules.ts',
      'server/automation/rules/compare.ts',
      'server/automation/rules/shell/entry.ts',
      'server/automation/rules/may-fit.ts',
      'server/automation/rules/folded.ts',
      'server/automation/rules/shell/commands.ts',
      'server/automation/rules/shell/star.ts',
    ],
  },
  decider: {
    begins: ['server/automation/deciders/deciders.ts#createDeciders'],
    without: [...EVERYWHERE, 'server/inquiries/', 'server/deliveries/', 'server/automation/rules/'],
    files: [
      'server/automation/deciders/deciders.ts',
      'server/automation/deciders/due.ts',
      'server/automation/deciders/change.ts',
      'server/automation/deciders/config/store.ts',
      'server/automation/deciders/steps.ts',
      'server/automation/deciders/question.ts',
      'server/automation/deciders/runs.ts',
      'server/automation/deciders/agent.ts',
      'server/automation/deciders/delegation.ts',
      'server/automation/deciders/proposals.ts',
      'server/automation/yolo/store.ts',
      'server/automation/deciders/times.ts',
      'server/automation/deciders/model/run.ts',
    ],
  },
  'approve on the page': {
    begins: ['web/inquiry/reply/useReply.ts#useReply'],
    without: ['shared/', 'web/ui/'],
    files: [
      'web/inquiry/reply/useReply.ts',
      'web/inquiry/reply/state.ts',
      'web/live/store.ts',
      'web/inquiry/reply/faults.ts',
      'web/inquiry/reply/content.ts',
      'web/live/preferences.ts',
      'web/inquiry/view/countdown.ts',
      'web/inquiry/view/presses.ts',
      'web/inquiry/view/keys.ts',
      'web/inquiry/reply/form/ready.ts',
      'web/live/inquiries.ts',
      'web/live/stored.ts',
      'web/live/outgoing/secrets.ts',
      'web/inquiry/reply/json.ts',
      'web/live/line.ts',
      'web/inquiry/outcome/run.ts',
      'web/live/database.ts',
      'web/live/faults.ts',
      'web/live/apply.ts',
      'web/live/api.ts',
    ],
  },
};

/** The files that this flow opens, in the order in which its functions are called. */
export function filesOfFlow(readSource: (path: string) => string, { begins, without }: Flow): string[] {
  const isOpened = (called: FunctionName) => !without.some((folder) => called.startsWith(folder));
  const seen = new Set(begins);
  // A set hands out what is added to it while it is walked.
  for (const called of seen) for (const next of callsOf(readSource, called)) if (isOpened(next)) seen.add(next);
  return [...new Set(Array.from(seen, (called) => called.split('#')[0] ?? ''))];
}
