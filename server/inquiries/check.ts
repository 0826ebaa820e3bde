import { answerFaults, type SchemaFaults } from '#shared/fit.ts';
import { fault, invalid, pointer } from '#shared/faults.ts';
import type { Action, Ask, Question } from '#shared/inquiry.ts';
import type { Fault } from '#shared/problem.ts';
import { plainLine, wordLines } from '#shared/plain-line.ts';
import { isBlank } from '#shared/visible.ts';
import { DAY_MS } from '../platform/clock.ts';
import { isLocalName, isPublic, refusedUrl } from '../platform/outbound/addresses.ts';
import { secretIds } from './seal.ts';

const MAX_OPEN_MS = 30 * DAY_MS;

const ANSWER = ['text', 'values', 'other', 'decisions', 'markdown', 'response', 'outcome', 'message'];
/** What goes with an answer and is none. */
const BESIDE = ['answerId', 'digest', 'late', 'via', 'inquiryId', 'assertion', 'code'];

/**
 * Throws 422 for what a device sent as an answer that holds none, and names what it found: a misspelt member would be
 * taken for an answer that skips everything. Beside a known member unknown ones are ignored.
 */
export function refuseStrangeAnswer(body: unknown): void {
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const strange = names.filter((name) => !BESIDE.includes(name));
  if (strange.length === 0 || names.some((name) => ANSWER.includes(name))) return;
  throw invalid(
    [fault('', 'answer.unknown', `holds no answer but ${strange.join(', ')}: ${SENDS}`)],
    'answer.does_not_fit',
  );
}

export const SENDS = 'send response, text, values, other, decisions or markdown, or "outcome": "declined"';

/** The instants of an ask, in ms. */
export type Times = { deadlineAt: number; latestAt: number };

/** Every fault of an ask that spans several members (ASK3); its shape is checked before. */
export function askFaults(ask: Ask, schemaFaults: SchemaFaults): Fault[] {
  const forms = (['questions', 'document', 'actions', 'link'] as const).filter((form) => ask[form] !== undefined);
  const faults: Fault[] = [];
  if (forms.length === 0 && (ask.prompt ?? '').trim() === '') {
    const message = 'is missing: ask with a prompt, or with questions, a document, actions or a link';
    faults.push(fault('/prompt', 'ask.empty', message));
  }
  for (const form of forms.slice(1)) {
    const message = `cannot stand beside ${forms[0]}: one inquiry has one form`;
    faults.push(fault(`/${form}`, 'ask.two_forms', message));
  }
  faults.push(...twiceIn(ask.questions, 'id', '/questions'));
  ask.questions?.forEach((question, at) => faults.push(...questionFaults(question, `/questions/${at}`, schemaFaults)));
  ask.actions?.forEach((action, at) => faults.push(...actionFaults(action, `/actions/${at}`, schemaFaults)));
  if (ask.approvals && !ask.actions) {
    const message = 'stands where nothing is approved: it goes with actions';
    faults.push(fault('/approvals', 'ask.nothing_to_approve', message));
  }
  return [...faults, ...suggestedFaults(ask, schemaFaults), ...callbackFaults(ask)];
}

/** When the ask expires and how far it may be moved, or the faults of what it says about that. */
export function readTimes(ask: Ask, now: number, blocking: boolean): Times | Fault[] {
  const deadlineAt = ask.deadline === undefined ? now + DAY_MS : instant(ask.deadline, now);
  const usual = blocking ? deadlineAt : Math.min(deadlineAt + 15 * 60_000, now + MAX_OPEN_MS);
  const latestAt = ask.latest === undefined ? usual : instant(ask.latest, now);
  const tooFar = 'is more than 30 days away';
  const faults: Fault[] = [];
  if (deadlineAt <= now) faults.push(fault('/deadline', 'ask.deadline_passed', 'has passed already'));
  if (deadlineAt > now + MAX_OPEN_MS) faults.push(fault('/deadline', 'ask.deadline_too_far', tooFar));
  if (latestAt < deadlineAt) faults.push(fault('/latest', 'ask.latest_before_deadline', 'lies before the deadline'));
  if (ask.latest !== undefined && latestAt > now + MAX_OPEN_MS)
    faults.push(fault('/latest', 'ask.latest_too_far', tooFar));
  return faults.length > 0 ? faults : { deadlineAt, latestAt: Math.max(latestAt, deadlineAt) };
}

/** What an inquiry is called when its source gave no title: at most 140 characters, one line. */
export function makeTitle(ask: Ask): string {
  const [question] = ask.questions ?? [];
  const [action] = ask.actions ?? [];
  const markdown = ask.prompt?.trim() || (question?.header ? '' : question?.prompt);
  const named = question?.header || action?.name;
  const text = markdown || named || ask.document?.markdown || (ask.link ? new URL(ask.link.url).host : '');
  // Its code and tables are not cut apart for it, unless there is nothing else.
  const line =
    [...wordLines(text), ...text.split(/\r?\n/)]
      .map((one) =>
        // A name is no markdown.
        (text === named ? one : plainLine(one))
          .replace(/^[\s#>*-]+/, '')
          .replace(/\p{Cc}/gu, ' ')
          .trim(),
      )
      .find((one) => !isBlank(one)) ?? 'Untitled';
  const characters = Array.from(line);
  if (characters.length <= 140 && line.length <= 140) return line;
  const part = cut(characters, 140);
  // Between words where there are any near the end.
  const words = part.replace(/\s+\S{0,38}$/, '');
  return `${words === part ? cut(characters, 139) : words}…`;
}

// Cut by code points: half a surrogate pair would not be a text.
function cut(characters: string[], max: number): string {
  let text = '';
  for (const character of characters) {
    if (text.length + character.length > max) break;
    text += character;
  }
  return text;
}

function instant(value: string | number, now: number): number {
  return typeof value === 'number' ? now + value * 1000 : Date.parse(value);
}

function questionFaults(question: Question, path: string, schemaFaults: SchemaFaults): Fault[] {
  // Answers come back as members of these names, and readers of JSON take this one for something else.
  if (question.id === '__proto__') return [fault(`${path}/id`, 'ask.id', 'cannot be "__proto__"')];
  if (question.type === 'form') return unusable(schemaFaults(question.schema), `${path}/schema`);
  if (question.type === 'text') return [];
  const faults = twiceIn(question.options, 'value', `${path}/options`);
  const most = question.options.length + (question.allowOther ? 1 : 0);
  if ((question.min ?? 0) > Math.min(question.max ?? most, most))
    faults.push(fault(`${path}/min`, 'ask.min_above_max', 'is more than can be chosen'));
  return faults;
}

function actionFaults({ allowed, options, argsSchema }: Action, path: string, schemaFaults: SchemaFaults): Fault[] {
  return [
    ...twice(allowed, (at) => `${path}/allowed/${at}`),
    ...twiceIn(options, 'id', `${path}/options`),
    ...(argsSchema ? unusable(schemaFaults(argsSchema), `${path}/argsSchema`) : []),
  ];
}

function unusable(faults: Fault[], path: string): Fault[] {
  return faults.map(({ message }) => fault(path, 'ask.schema', message));
}

function suggestedFaults(ask: Ask, schemaFaults: SchemaFaults): Fault[] {
  const { suggested, onExpire, assurance } = ask;
  if (onExpire === 'suggested' && assurance === 'passkey') {
    const message = 'may not be "suggested" where assurance is "passkey": silence shows nobody';
    return [fault('/onExpire', 'ask.suggested_passkey', message)];
  }
  if (onExpire === 'suggested' && ask.actions) {
    const message = 'may not be "suggested" for actions: silence never approves';
    return [fault('/onExpire', 'ask.suggested_actions', message)];
  }
  if (suggested === undefined) {
    const message = 'is missing, but onExpire names it';
    return onExpire === 'suggested' ? [fault('/suggested', 'ask.suggested_missing', message)] : [];
  }
  const secret = secretIds(ask).find((id) => suggested.values?.[id] !== undefined);
  if (secret !== undefined) {
    const message = 'cannot suggest the answer to a secret question';
    return [fault(pointer(['suggested', 'values', secret]), 'ask.suggested_secret', message)];
  }
  const faults = answerFaults(ask, suggested, { partial: onExpire !== 'suggested', schemaFaults });
  return faults.map((one) => ({ ...one, path: `/suggested${one.path}` }));
}

/** Only what stands in the address itself; what its name resolves to is checked when connecting. */
function callbackFaults({ callback }: Ask): Fault[] {
  if (callback === undefined) return [];
  const url = new URL(callback.url);
  if (refusedUrl(url, isPublic) === undefined && !isLocalName(url.hostname)) return [];
  const message = 'is in a private network; let the owner set it as the webhook of this source instead';
  return [fault('/callback/url', 'ask.callback_private', message)];
}

function twiceIn<K extends string>(items: Record<K, string>[] | undefined, member: K, path: string): Fault[] {
  const values = items?.map((item) => item[member]) ?? [];
  return twice(values, (at) => `${path}/${at}/${member}`);
}

function twice(values: string[], pathOf: (at: number) => string): Fault[] {
  return values.flatMap((value, at) =>
    values.indexOf(value) === at ? [] : [fault(pathOf(at), 'ask.twice', `"${value}" stands here twice`)],
  );
}
