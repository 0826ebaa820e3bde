import { z } from 'zod';
import { orNull, SourceId } from './schemas/values.ts';
import { Quiet } from './policies/quiet.ts';

/** How inquiries stand on the page, and what has to happen before an answer leaves. */
const choices = {
  questions: z.enum(['one', 'all']).describe('Several questions: one after the other, or all on one page.'),
  density: z.enum(['roomy', 'compact']).describe('How close things stand.'),
  editor: z.enum(['rich', 'plain']).describe('Documents: in a rich editor, or as plain markdown.'),
  confirm: z.boolean().describe('What is about to be sent is shown once more first.'),
  undoSeconds: z
    .int()
    .min(0)
    .max(10)
    .describe('How long an answer other than a plain approval can be undone before it is sent.'),
  readToEnd: z
    .boolean()
    .describe('Texts of files and diffs, too, have to be on the screen to their end before an approval.'),
};
const changes = {
  questions: orNull(choices.questions),
  density: orNull(choices.density),
  editor: orNull(choices.editor),
  confirm: orNull(choices.confirm),
  undoSeconds: orNull(choices.undoSeconds),
  readToEnd: orNull(choices.readToEnd),
};
const TimeZone = z.string().max(100).refine(isTimeZone, 'is not the name of a time zone like Europe/Berlin');

/** What a person may have put off at a time; of more the oldest is forgotten. */
export const PUT_OFF_MAX = 50;
const PutOff = z.array(z.string().max(64)).max(PUT_OFF_MAX);
const FirstSteps = z.enum(['later', 'done']);
const Reminders = z.enum(['never', 'once', 'repeat']);

export const Choices = z.object(choices).partial().meta({
  id: 'Choices',
  description: 'How inquiries stand on the page, and what has to happen before an answer leaves.',
});
export type Choices = z.infer<typeof Choices>;

export const Preferences = Choices.extend({
  sources: z
    .record(SourceId, Choices)
    .optional()
    .describe('The same for single sources, by their id; each wins over the rest.'),
  timeZone: TimeZone.optional().describe(
    'Where times of day and days in their rules and quiet hours are counted; absent: in `hubTimeZone`.',
  ),
  firstSteps: FirstSteps.optional().describe(
    'The list of first steps was put off, or all of them were done; absent: it stands in the inbox.',
  ),
  putOff: PutOff.optional().describe(
    'Ids of urgent inquiries and of sign-in requests that are announced on no device any more (both wait as before), and of rules that are offered no more.',
  ),
  missedSeenAt: z.iso.datetime().optional().describe('What was missed up to this moment was seen.'),
  quiet: Quiet.optional().describe('When nothing rings; it waits in the inbox and rings at the end.'),
  reminders: Reminders.optional().describe(
    'How an open question rings again: `once`, after 10 minutes; `repeat`, every 30 minutes until its deadline; absent: never.',
  ),
}).meta({
  id: 'Preferences',
  description: "What a person chose, everywhere and for single sources; what is absent is the page's own way.",
});
export type Preferences = z.infer<typeof Preferences>;

export const ChangePreferences = z
  .strictObject({
    ...changes,
    chosenTimeZone: orNull(TimeZone).describe(
      'Becomes `timeZone`, for instance Europe/Berlin. To be sent only where the person chose it; null: the zone of the hub.',
    ),
    timeZone: z
      .unknown()
      .optional()
      .meta({ deprecated: true })
      .describe('Of older pages, which sent the zone of their device unasked: it changes nothing.'),
    firstSteps: orNull(FirstSteps).describe('Whether the list of first steps was put off or done.'),
    putOff: orNull(PutOff).describe('Ids of what is announced or offered on no device any more.'),
    missedSeenAt: orNull(z.iso.datetime()).describe('What was missed up to this moment was seen.'),
    quiet: orNull(Quiet).describe('When nothing rings.'),
    reminders: orNull(Reminders).describe('Whether an open question rings again.'),
    sources: z
      .record(SourceId, z.strictObject(changes).nullable())
      .nullable()
      .optional()
      .describe('The same for single sources, by their id.'),
  })
  .meta({
    id: 'ChangePreferences',
    description: "A change as RFC 7396 merges it: members that are absent stay, null goes back to the page's own way.",
  });
export type ChangePreferences = z.infer<typeof ChangePreferences>;

/** Single sources that one person may choose something for. */
export const OWN_SOURCES_MAX = 200;

/** Whether times of day can be counted in a zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
