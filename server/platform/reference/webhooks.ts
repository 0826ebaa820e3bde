import { z } from 'zod';
import { Inquiry } from '#shared/inquiry.ts';
import { ANSWERED, INQUIRIES } from '#shared/reference/examples.ts';

const body = <Type extends string>(id: string, type: Type, description: string, examples: object[]) =>
  z
    .object({
      type: z.literal(type).describe('What happened.'),
      timestamp: z.string().describe('When it happened.'),
      data: Inquiry.describe('The inquiry as it is then, without secret answers.'),
      reply: z
        .looseObject({})
        .optional()
        .describe('Where a framework asked through a dialect: what goes back to it, once all of its ask is resolved.'),
    })
    .meta({ id, description, examples });

const [waiting] = INQUIRIES;
const RESOLVED = [{ type: 'inquiry.resolved', timestamp: '2026-11-20T09:04:12.000Z', data: ANSWERED }];
const UNREACHABLE = [{ type: 'inquiry.unreachable', timestamp: '2026-11-20T09:01:00.000Z', data: waiting }];
const { by, answer, text } = ANSWERED.resolution;
const expired = {
  outcome: 'expired',
  at: '2026-11-21T09:00:00.000Z',
  text: 'Nobody answered in time. Do not take this for a yes, and do not ask the same again.',
  by: { kind: 'deadline', label: 'deadline' },
};

/** The same answered after its deadline. */
const LATE = {
  ...waiting,
  state: 'expired',
  revision: 2,
  resolution: expired,
  late: [{ at: '2026-11-21T10:30:00.000Z', by, answer, text }],
};
const LATER = [{ type: 'inquiry.late_answer', timestamp: '2026-11-21T10:30:00.000Z', data: LATE }];

/** What the hub posts to the webhook of a source and to the `callback` of an inquiry. */
export const WEBHOOKS = {
  headers: {
    'webhook-id': 'The same for every attempt of one delivery: take each only once.',
    'webhook-timestamp': 'When this attempt was signed, in seconds since 1970: refuse what is older than five minutes.',
    'webhook-signature':
      'One or more of "v1," and the HMAC-SHA256, in base64, of webhook-id, ".", webhook-timestamp, "." and the body, with the secret of the source; and "v1a," and the Ed25519 signature of the same by the source’s `webhookKey` (Standard Webhooks).',
  },
  replies: {
    '2XX':
      'Taken: it is not sent again. Of an inquiry that a call without a key asked, the resolution counts as collected.',
    '409': 'Not wanted, because something else was decided there: it is not sent again.',
    '410': 'Not wanted any more: it is not sent again.',
    default: 'Not taken: it is tried again, later each time, for a day.',
  },
  types: {
    'inquiry.resolved': {
      operationId: 'inquiryResolved',
      summary: 'An inquiry is resolved',
      description: 'It was answered or declined, expired, or was withdrawn: `data.state` says which.',
      examples: RESOLVED,
      body: body('InquiryResolved', 'inquiry.resolved', 'An inquiry is resolved.', RESOLVED),
    },
    'inquiry.unreachable': {
      operationId: 'inquiryUnreachable',
      summary: 'Nobody could be reached',
      description:
        'Nobody has a device that could be told, or none took it within 60 seconds. The inquiry stays open; this is told once.',
      examples: UNREACHABLE,
      body: body('InquiryUnreachable', 'inquiry.unreachable', 'Nobody could be reached.', UNREACHABLE),
    },
    'inquiry.late_answer': {
      operationId: 'inquiryLateAnswer',
      summary: 'An answer came late',
      description:
        'Somebody answered after it expired or was withdrawn. It changes nothing; `data.late` holds the answer.',
      examples: LATER,
      body: body('InquiryLateAnswer', 'inquiry.late_answer', 'An answer came late.', LATER),
    },
  },
} as const;
