import { z } from 'zod';
import { SourceId } from './inquiry.ts';
import { Quiet } from './policies/quiet.ts';

/** How inquiries stand on the page, and what has to happen before an answer leaves. */
const choices = {
  /** Several questions: one after the other, or all on one page. */
  questions: z.enum(['one', 'all']),
  density: z.enum(['roomy', 'compact']),
  /** Documents: in a rich editor, or as plain markdown. */
  editor: z.enum(['rich', 'plain']),
  /** What is about to be sent is shown once more first. */
  confirm: z.boolean(),
  /** How long an answer given with one tap can be undone before it is sent. */
  undoSeconds: z.int().min(0).max(10),
};
const reset = <T extends z.ZodType>(choice: T) => choice.nullable().optional();
const changes = {
  questions: reset(choices.questions),
  density: reset(choices.density),
  editor: reset(choices.editor),
  confirm: reset(choices.confirm),
  undoSeconds: reset(choices.undoSeconds),
};
const TimeZone = z.string().max(100).refine(isTimeZone, 'is not the name of a time zone like Europe/Berlin');

const FirstSteps = z.enum(['later', 'done']);

export const Choices = z.object(choices).partial();
export type Choices = z.infer<typeof Choices>;

/** What a person chose, everywhere and for single sources; what is absent is the page's own way. */
export const Preferences = Choices.extend({
  sources: z.record(SourceId, Choices).optional(),
  /** Where times of day and days in their rules and quiet hours are counted. */
  timeZone: TimeZone.optional(),
  /** The list of first steps was put off, or all of them were done; absent: it stands in the inbox. */
  firstSteps: FirstSteps.optional(),
  /** When nothing rings; it waits in the inbox and rings at the end. */
  quiet: Quiet.optional(),
});
export type Preferences = z.infer<typeof Preferences>;

/** A change as RFC 7396 merges it: members that are absent stay, null goes back to the page's own way. */
export const ChangePreferences = z.strictObject({
  ...changes,
  timeZone: reset(TimeZone),
  firstSteps: reset(FirstSteps),
  quiet: reset(Quiet),
  sources: z.record(SourceId, z.strictObject(changes).nullable()).nullable().optional(),
});
export type ChangePreferences = z.infer<typeof ChangePreferences>;

/** Single sources that one person may choose something for. */
export const OWN_SOURCES_MAX = 200;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
