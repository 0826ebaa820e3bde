import { z } from 'zod';
import { idPattern } from '../ids.ts';
import { instant, num, SourceId } from '../schemas/values.ts';

/** YOLO ends after at most a day. */
export const YOLO_MAX_MS = 24 * 3_600_000;

const Decides = z
  .strictObject({
    decider: z.string().regex(idPattern('dcd'), 'is not the id of a decider').describe('The id of the decider.'),
  })
  .describe('This decider decides; I am woken only where it does not.');

const choices = {
  calls: z
    .union([z.enum(['approve', 'you-decide']), Decides], { error: 'must be "approve", "you-decide" or a decider' })
    .describe(
      'What becomes of calls of tools: approved, handed back, which approves nothing, or decided by a decider. Absent: I am asked.',
    ),
  destructive: z
    .boolean()
    .describe(
      'Calls that destroy something, or of which that cannot be told, are settled too. Absent or false: I am asked.',
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

export const StartYolo = z
  .strictObject({
    ...z.object(choices).partial().shape,
    until: instant.describe('Seconds from now, or an instant; at most 24 hours from now.'),
  })
  .refine(({ calls, questions }) => calls ?? questions, 'settles nothing: name calls, questions or both')
  .refine(({ calls, destructive }) => calls !== undefined || !destructive, {
    path: ['destructive'],
    message: 'says nothing without calls: name what becomes of them',
  })
  .refine(({ questions, sources }) => questions !== 'random' || sources?.length === 1, {
    path: ['sources'],
    message: 'must name one source: "random" is for one source only',
  })
  // What a run is called is each source's own word.
  .refine(({ runs, sources }) => !runs || sources?.length === 1, {
    path: ['sources'],
    message: 'must name one source: "runs" are those of one source',
  })
  .meta({ id: 'StartYolo', description: 'Lets everything be settled for a while that only this person is asked.' });
export type StartYolo = z.infer<typeof StartYolo>;

export const AskYolo = z
  .strictObject({
    minutes: num(
      z
        .int()
        .min(1)
        .max(YOLO_MAX_MS / 60_000),
    ).describe('For how long, at most 1440.'),
    reason: z.string().min(1).max(500).optional().describe('Why, for the person who is asked.'),
    to: z.string().max(39).optional().describe('One person; absent: the owner of the hub.'),
  })
  .meta({ id: 'AskYolo', description: 'What a source asks for: its own calls approved without a person for a while.' });
export type AskYolo = z.infer<typeof AskYolo>;

const On = z.object({
  id: z.string().describe('The id of the device.'),
  name: z.string().describe('The name of the device.'),
});

export const Yolo = z
  .object({
    id: z.string().describe('Its id.'),
    ...z.object(choices).partial().shape,
    startedAt: z.string().describe('When it began.'),
    startedOn: On.describe('The device.'),
    untilAt: z.string().describe('When it ends at the latest.'),
    endedAt: z.string().optional().describe('Absent: it runs.'),
    stoppedOn: On.optional().describe(
      'The device that ended it early; absent: its time was over, or its device was revoked.',
    ),
    settledCount: z.int().describe('Inquiries that it settled.'),
  })
  .meta({ id: 'Yolo', description: 'One time of YOLO, running or ended.' });
export type Yolo = z.infer<typeof Yolo>;

export const YoloState = z
  .object({
    running: Yolo.describe('The one that runs.'),
    ended: Yolo.describe('The one that ended and was not looked at yet.'),
  })
  .partial()
  .meta({
    id: 'YoloState',
    description:
      'What of YOLO a person’s pages show: the one that runs, and the last one that ended while nobody has looked at its end.',
  });
export type YoloState = z.infer<typeof YoloState>;

export const Yolos = YoloState.extend({ past: z.array(Yolo).describe('The newest 20 that ended, newest first.') }).meta(
  { id: 'Yolos', description: 'YOLO that runs, and that ran before.' },
);
export type Yolos = z.infer<typeof Yolos>;

export const YoloReport = z
  .object({
    yolo: Yolo.describe('Which one.'),
    approved: z
      .array(
        z.object({
          source: z
            .object({ id: z.string().describe('Its id.'), name: z.string().describe('The tool that was called.') })
            .describe('Who asked.'),
          name: z.string().describe('The tool that was called.'),
          count: z.int().describe('How many.'),
          titles: z.array(z.string()).describe('What the newest of them were called, at most 3.'),
        }),
      )
      .describe('Approved calls by source and tool, most first.'),
    handedBack: z.int().describe('Handed back to the agent.'),
    unanswered: z.int().describe('Ended as if nobody had answered in time.'),
    random: z.int().describe('Answered with any option.'),
    decided: z.int().describe('Answered by a decider.'),
    asked: z
      .array(z.object({ id: z.string().describe('Its id.'), title: z.string().describe('What it was called.') }))
      .describe('What I was asked meanwhile all the same, newest first, at most 50.'),
  })
  .meta({ id: 'YoloReport', description: 'What one time of YOLO did, short enough to be read in ten seconds.' });
export type YoloReport = z.infer<typeof YoloReport>;
