import type { DeliveryType } from '../../deliveries/answer-body.ts';

/** The extension, and its name where clients look for it without one. */
export const EVENTS = 'io.modelcontextprotocol/events';
export const CAPABILITIES = { events: {}, extensions: { [EVENTS]: {} } };

export type Mode = 'webhook' | 'poll';

const STATES = ['open', 'answered', 'declined', 'expired', 'withdrawn'];
const inputSchema = {
  type: 'object',
  properties: {
    inquiryId: {
      type: 'string',
      description: 'Only this inquiry of yours; absent: every one, those yet to be asked too.',
    },
  },
  additionalProperties: false,
};
const payloadSchema = {
  type: 'object',
  properties: {
    inquiryId: { type: 'string', description: 'What get_answer takes.' },
    state: { type: 'string', enum: STATES, description: 'What became of it then; the answer is read with get_answer.' },
  },
  required: ['inquiryId', 'state'],
};

/** Each event, where it is told, and in which words. What nobody wrote down but by telling it cannot be polled. */
const DESCRIBED: Record<DeliveryType, { delivery: Mode[]; description: string }> = {
  'inquiry.resolved': {
    delivery: ['webhook', 'poll'],
    description: 'An inquiry was answered or declined, expired or was withdrawn: read it with get_answer.',
  },
  'inquiry.late_answer': {
    delivery: ['webhook'],
    description: 'A person answered after the end; get_answer shows it as late.',
  },
  'inquiry.unreachable': {
    delivery: ['webhook'],
    description: 'Nobody who is asked could be reached so far. The inquiry is open all the same.',
  },
};

/** What `events/list` shows. */
export const CATALOGUE = Object.entries(DESCRIBED).map(([name, described]) => {
  return { name, ...described, inputSchema, payloadSchema };
});

/** How this event is told; undefined: there is none of this name. */
export function modesOf(name: string): Mode[] | undefined {
  return Object.hasOwn(DESCRIBED, name) ? DESCRIBED[name as DeliveryType].delivery : undefined;
}
