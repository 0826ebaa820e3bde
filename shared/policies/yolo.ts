import { z } from 'zod';
import { idPattern } from '../ids.ts';
import { Num, SourceId } from '../inquiry.ts';

/** YOLO ends after at most a day. */
export const YOLO_MAX_MS = 24 * 3_600_000;

const Decides = z
  .strictObject({ decider: z.string().regex(idPattern('dcd'), 'is not the id of a decider') })
  .describe('This decider decides; I am woken only where it does not.');

const choices = {
  calls: z
    .union([z.enum(['approve', 'you-decide']), Decides], { error: 'must be "approve", "you-decide" or a decider' })
    .describe(
      'What becomes of calls of tools: approved, handed back, which approves nothing, or decided by a decider. Absent: I am asked.',
    ),
  questions: z
    .union([z.enum(['you-decide', 'unanswered', 'random']), Decides], {
      error: 'must be "you-decide", "unanswered", "random" or a decider',
    })
    .describe(
      'What becomes of questions: handed back, as if nobody had answered in time, any option, or decided by a decider. Absent: I am asked.',
    ),
  sources: z.array(SourceId).min(1).max(100).describe('For these sources only; absent: for all.'),
  runs: z.array(z.string().min(1).max(200)).min(1).max(20).describe('For these runs or threads of one source only.'),
};

/** Lets everything be settled for a while that only this person is asked. */
export const StartYolo = z
  .strictObject({
    ...z.object(choices).partial().shape,
    until: z
      .union([Num.pipe(z.number().positive()), z.iso.datetime({ offset: true })], {
        error: 'must be seconds from now or an instant like 2027-01-31T12:00:00Z',
      })
      .describe('Seconds from now, or an instant; at most 24 hours from now.'),
  })
  .refine(({ calls, questions }) => calls ?? questions, 'settles nothing: name calls, questions or both')
  .refine(({ questions, sources }) => questions !== 'random' || sources?.length === 1, {
    path: ['sources'],
    message: 'must name one source: "random" is for one source only',
  })
  // What a run is called is each source's own word.
  .refine(({ runs, sources }) => !runs || sources?.length === 1, {
    path: ['sources'],
    message: 'must name one source: "runs" are those of one source',
  });
export type StartYolo = z.infer<typeof StartYolo>;

/** What a source asks for: its own calls approved without a person for a while. */
export const AskYolo = z.strictObject({
  minutes: Num.pipe(
    z
      .int()
      .min(1)
      .max(YOLO_MAX_MS / 60_000),
  ),
  reason: z.string().min(1).max(500).optional(),
  to: z.string().max(39).optional().describe('One person; absent: the owner of the hub.'),
});
export type AskYolo = z.infer<typeof AskYolo>;

const On = z.object({ id: z.string(), name: z.string() });

/** One time of YOLO, running or ended. */
export const Yolo = z.object({
  id: z.string(),
  ...z.object(choices).partial().shape,
  startedAt: z.string(),
  startedOn: On.describe('The device.'),
  untilAt: z.string(),
  endedAt: z.string().optional().describe('Absent: it runs.'),
  stoppedOn: On.optional().describe(
    'The device that ended it early; absent: its time was over, or its device was revoked.',
  ),
  settledCount: z.int().describe('Inquiries that it settled.'),
});
export type Yolo = z.infer<typeof Yolo>;

/** What of YOLO a person's pages show: the one that runs, and the last one that ended while nobody has looked at its end. */
export const YoloState = z.object({ running: Yolo, ended: Yolo }).partial();
export type YoloState = z.infer<typeof YoloState>;

export const Yolos = YoloState.extend({ past: z.array(Yolo).describe('The newest 20 that ended, newest first.') });
export type Yolos = z.infer<typeof Yolos>;

/** What one time of YOLO did, short enough to be read in ten seconds. */
export const YoloReport = z.object({
  yolo: Yolo,
  approved: z
    .array(
      z.object({
        source: z.object({ id: z.string(), name: z.string() }),
        name: z.string(),
        count: z.int(),
        titles: z.array(z.string()).describe('What the newest of them were called, at most 3.'),
      }),
    )
    .describe('Approved calls by source and tool, most first.'),
  handedBack: z.int(),
  unanswered: z.int(),
  random: z.int(),
  decided: z.int().describe('Answered by a decider.'),
  asked: z
    .array(z.object({ id: z.string(), title: z.string() }))
    .describe('What I was asked meanwhile all the same, newest first, at most 50.'),
});
export type YoloReport = z.infer<typeof YoloReport>;
