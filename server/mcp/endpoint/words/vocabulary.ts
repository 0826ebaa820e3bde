import type { SOURCE_TOOLS } from '#shared/reference/source-tools.ts';

export type ToolName = (typeof SOURCE_TOOLS)[number] | 'list_inquiries' | 'answer_inquiry';

/** All that the MCP border says, in one language. */
export type Words = {
  /** For the agent of a source, and for the agent of a person. */
  instructions: { source: string; device: string };
  /** `parameters`: in place of the words of the schemas, which are English. */
  tools: Record<ToolName, { title: string; description: string; parameters?: Record<string, string> }>;
  /** `message` of the progress frames. */
  waitingFor: (names: string[]) => string;
  /** The call returns before anybody answered. */
  pending: (inquiryId: string) => string;
  /** The same, where its client is told of the end by an event. */
  pendingTold: (inquiryId: string) => string;
  validUntil: (at: string) => string;
  lateAnswer: (who: string, text: string) => string;
  /** What a decider says in the person's place, and that it gave no answer. */
  decidedFor: (who: string, text: string) => string;
  undecided: (who: string, problem: string) => string;
  alreadyResolved: string;
  noticeSent: string;
  won: string;
  lost: (who: string, device: string, at: string) => string;
  held: (approved: number, wanted: number) => string;
  tooLate: (outcome: string, at: string) => string;
  faults: (list: string) => string;
};
