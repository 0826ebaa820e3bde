import { z } from 'zod';
import { Handles, num } from './values.ts';

/** Whom an inquiry is asked of too while nobody answers, and when. */
export const Escalate = z
  .array(
    z.strictObject({
      after: num(z.int().min(1).max(2_592_000)).describe('So many seconds after it was asked, before its deadline.'),
      to: Handles.describe('Handles of the people or groups who are asked too from then on.'),
    }),
  )
  .max(5)
  .describe(
    'While nobody answers, ask these people too, in up to 5 steps, each later than the one before. Default: that of the source; an empty list asks nobody else.',
  );
export type Escalate = z.infer<typeof Escalate>;

/** Who was asked by that, and when. */
export const Escalated = z
  .array(
    z.object({
      at: z.string().describe('When they were asked.'),
      to: z.array(z.string()).describe('The handles that the step named.'),
      people: z.array(z.string()).optional().describe('To devices only: the people behind them.'),
    }),
  )
  .describe('Who was asked too because nobody had answered, and when.');
export type Escalated = z.infer<typeof Escalated>;
