import type { AnswerContent, Resolution } from '#shared/answer.ts';
import { isDestructive } from '#shared/call-name/destructive.ts';
import { maskedArgs } from '#shared/call-name/masked.ts';
import { titleParts } from '#shared/call-name/name.ts';
import { plainName } from '#shared/call-name/parts.ts';
import { withoutSecrets } from '#shared/call-name/secret.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { PushMessage } from '#shared/push.ts';
import { answerText } from '#shared/text.ts';
import { isBlank, visible } from '#shared/visible.ts';
import {
  cut,
  readNotified,
  stricter,
  type Compose,
  type Notified,
  type Privacy,
} from '../../deliveries/push/compose.ts';
import { NOBODY } from '../../deliveries/inquiry-devices.ts';
import { readLater } from '../later.ts';
import { deviceView, readInquiries } from '../store.ts';
import { toAnswers, type Answers } from './buttons.ts';
import { readContent } from './content.ts';
import { WORDS } from './words.ts';

type Face = Answers & { title: string; body: string };

const LONGEST_TITLE = 140;
const LONGEST_BODY = 600;
/** Systems cut longer bodies; what may be cut gets no buttons. */
const LONGEST_WHOLE_BODY = 300;
const MOST_WHOLE_LINES = 6;
const LONGEST_ANSWER = 80;
const MOST_BYTES = 2_500;

/** What a push of an inquiry says now: the question while it is open, who answered once it is resolved. */
export const composeInquiry: Compose = async (db, { subjectId, wanted, device, now }) => {
  const [row] = await readInquiries(db, [subjectId]);
  if (row === undefined || (row.resolution === null) !== (wanted === 'ask')) return undefined;
  if (wanted === 'ask' && row.deadline_at <= now) return undefined;
  // However it fell due, it rings for nobody who set it apart.
  if (wanted === 'ask' && (await readLater(db, [subjectId], [device.personId])).size > 0) return undefined;
  const person = await readNotified(db, device.personId);
  // No notification says how far the telling came.
  return person && toNotification(deviceView(row, { reach: NOBODY }), person);
};

/**
 * What a notification of an inquiry says to one person: the question while it is open, who answered when it is
 * resolved. It has buttons only if it shows all of what is asked (PRV1). At most 2.5 KB as JSON. It names no
 * clock time: only the device knows its time zone, so the worker adds it from `deadlineAt`.
 */
export function toNotification(inquiry: Inquiry, person: Notified): PushMessage {
  const { locale: lang, badge } = person;
  const privacy = stricter(inquiry.privacy ?? person.privacy, person.privacy);
  if (inquiry.resolution) {
    const settled = settledFace(inquiry, inquiry.resolution, person, privacy);
    return { t: 'withdraw', id: inquiry.id, ...settled, lang, badge };
  }
  const { deadlineAt, id, urgency = 'normal' } = inquiry;
  const message = { t: 'ask', id, ...askFace(inquiry, lang, privacy), lang, deadlineAt, urgency, badge } as const;
  if (Buffer.byteLength(JSON.stringify(message)) <= MOST_BYTES) return message;
  const { reply: _tooLong, ...short } = message;
  return { ...short, body: cut(message.body, LONGEST_WHOLE_BODY), actions: [] };
}

function askFace(inquiry: Inquiry, lang: Notified['locale'], privacy: Privacy): Face {
  const words = WORDS[lang];
  if (privacy === 'nothing') return { title: words.something, body: words.unlock, actions: [] };
  const source = visible(inquiry.source.name);
  if (privacy === 'source') return { title: words.asks(source), body: words.unlock, actions: [] };

  const caution = inquiry.actions?.some((action) => action.caution) ? [words.caution] : [];
  // Read from the arguments, it stands only where they may; it only marks, and takes no button away.
  const destructive = privacy === 'full' && inquiry.actions?.some(isDestructive) ? [words.destructive] : [];
  const { approvals, approved = [] } = inquiry;
  const people = approved.map(({ by }) => visible(by.handle));
  const hands = approvals && privacy === 'full' ? [words.hands(people, approvals.count)] : [];
  const folder = inquiry.context?.cwd?.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  const details = privacy === 'full' ? readContent(inquiry, titleFor(inquiry, lang, privacy), lang).lines : [];
  const head = [...caution, ...destructive, ...hands, words.from(source, visible(folder))].join(
    lang === 'zh' ? '' : ' ',
  );
  const body = [head, ...details.map((detail) => visible(detail))].join('\n');
  return {
    title: titleFor(inquiry, lang, privacy),
    body: cut(body, LONGEST_BODY),
    ...(showsAll(inquiry, lang, privacy, body) ? toAnswers(inquiry, words.buttons, lang) : { actions: [] }),
  };
}

/** A call's name holds its arguments, so it stands only where everything may; else its tools are all that is said. */
function titleFor(inquiry: Inquiry, lang: Notified['locale'], privacy: Privacy): string {
  const { title, actions = [], source } = inquiry;
  if (privacy === 'full' || actions.length > 1) return plainName(titleParts(inquiry, lang), LONGEST_TITLE);
  const named = isBlank(title) ? (actions[0]?.name ?? WORDS[lang].asks(source.name)) : title;
  return visible(named);
}

/** Whether title and body together are all that a person needs to read, none of it cut or hidden. */
function showsAll(inquiry: Inquiry, lang: Notified['locale'], privacy: Privacy, body: string): boolean {
  const { lines, whole } = readContent(inquiry, titleFor(inquiry, lang, privacy), lang);
  if (!whole || visible(inquiry.title) !== inquiry.title) return false;
  if (lines.some((line) => visible(line) !== line)) return false;
  const fits = body.length <= LONGEST_WHOLE_BODY && body.split('\n').length <= MOST_WHOLE_LINES;
  return privacy === 'full' ? fits : privacy === 'title' && lines.length === 0;
}

function settledFace(
  inquiry: Inquiry,
  resolution: Resolution,
  { locale, handle }: Notified,
  privacy: Privacy,
): { title: string; body: string } {
  const words = WORDS[locale];
  const answer = sayable(inquiry, locale, privacy) ? toAnswerLine(inquiry, resolution, locale) : undefined;
  const title =
    resolution.outcome === 'answered' && answer !== undefined ? words.answeredWith(answer) : words[resolution.outcome];
  return { title, body: privacy === 'nothing' ? '' : byWhom(resolution, handle, words) };
}

/** The answer may stand on a lock screen where its question did, as a button or in full; a secret never. */
function sayable(inquiry: Inquiry, lang: Notified['locale'], privacy: Privacy): boolean {
  if (inquiry.questions?.some((question) => question.type === 'text' && question.secret)) return false;
  if (inquiry.actions?.length) return privacy === 'full';
  return privacy === 'full' || (privacy === 'title' && showsAll(inquiry, lang, privacy, ''));
}

function toAnswerLine(inquiry: Inquiry, { answer }: Resolution, locale: Notified['locale']): string | undefined {
  const line =
    answerText(inquiry, withMaskedCalls(inquiry, answer ?? {}), locale)
      .trim()
      .split('\n', 1)[0] ?? '';
  const text = visible(line).replace(/[.。]$/, '');
  return text === '' ? undefined : cut(text, LONGEST_ANSWER);
}

function withMaskedCalls({ actions = [] }: Inquiry, answer: AnswerContent): AnswerContent {
  if (!answer.decisions) return answer;
  const decisions = answer.decisions.map((decision, at) => {
    if ('message' in decision && decision.message !== undefined)
      return { ...decision, message: withoutSecrets(decision.message) };
    if (decision.type !== 'edit') return decision;
    const { args, argsText } = decision;
    return { ...decision, argsText: maskedArgs(actions[at]?.name ?? '', args, argsText ?? JSON.stringify(args)) };
  });
  return { ...answer, decisions };
}

function byWhom({ by }: Resolution, handle: string, words: (typeof WORDS)[Notified['locale']]): string {
  if (by.kind === 'person') return words.on(by.handle === handle ? words.you : by.handle, visible(by.device.name));
  return by.kind === 'deadline' ? '' : visible(by.label);
}
