import { answerFaults, type SchemaFaults } from '#shared/fit.ts';
import { pointer } from '#shared/faults.ts';
import type { Action, Ask, Question } from '#shared/inquiry.ts';
import type { Fault } from '#shared/problem.ts';
import { DAY_MS } from '../platform/clock.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import { isPublic, refusedUrl } from '../platform/outbound/addresses.ts';

export const MAX_OPEN_MS = 30 * DAY_MS;

/** The instants of an ask, in ms. */
export type Times = { deadlineAt: number; latestAt: number };

/** Every fault of an ask that spans several members (ASK3); its shape is checked before. `owner` is who asks. */
export function askFaults(owner: string, ask: Ask): Promise<Fault[]> {
  return withSchemaFaults(owner, (schemaFaults) => faultsOf(ask, schemaFaults));
}

function faultsOf(ask: Ask, schemaFaults: SchemaFaults): Fault[] {
  const forms = (['questions', 'document', 'actions', 'link'] as const).filter((form) => ask[form] !== undefined);
  const faults: Fault[] = [];
  if (forms.length === 0 && (ask.prompt ?? '').trim() === '') {
    faults.push({
      path: '/prompt',
      code: 'ask.empty',
      message: 'is missing: ask with a prompt, or with questions, a document, actions or a link',
    });
  }
  for (const form of forms.slice(1)) {
    faults.push({
      path: `/${form}`,
      code: 'ask.two_forms',
      message: `cannot stand beside ${forms[0]}: one inquiry has one form`,
    });
  }
  faults.push(
    ...twice(
      ask.questions?.map(({ id }) => id),
      ['questions'],
      'id',
    ),
  );
  ask.questions?.forEach((question, at) => faults.push(...questionFaults(question, ['questions', at], schemaFaults)));
  ask.actions?.forEach((action, at) => faults.push(...actionFaults(action, ['actions', at], schemaFaults)));
  return [...faults, ...suggestedFaults(ask, schemaFaults), ...callbackFaults(ask)];
}

/** When the ask expires and how far it may be moved, or the faults of what it says about that. */
export function timesOf(ask: Ask, now: number, blocking: boolean): Times | Fault[] {
  const deadlineAt = ask.deadline === undefined ? now + DAY_MS : instant(ask.deadline, now);
  const latestAt =
    ask.latest === undefined
      ? blocking
        ? deadlineAt
        : Math.min(deadlineAt + 15 * 60_000, now + MAX_OPEN_MS)
      : instant(ask.latest, now);
  const faults: Fault[] = [];
  if (deadlineAt <= now) faults.push({ path: '/deadline', code: 'ask.deadline_passed', message: 'has passed already' });
  if (deadlineAt > now + MAX_OPEN_MS)
    faults.push({ path: '/deadline', code: 'ask.deadline_too_far', message: 'is more than 30 days away' });
  if (latestAt < deadlineAt)
    faults.push({ path: '/latest', code: 'ask.latest_before_deadline', message: 'lies before the deadline' });
  if (ask.latest !== undefined && latestAt > now + MAX_OPEN_MS)
    faults.push({ path: '/latest', code: 'ask.latest_too_far', message: 'is more than 30 days away' });
  return faults.length > 0 ? faults : { deadlineAt, latestAt: Math.max(latestAt, deadlineAt) };
}

/** What an inquiry is called when its source gave no title: at most 140 characters, one line. */
export function titleOf(ask: Ask): string {
  const [question] = ask.questions ?? [];
  const [action] = ask.actions ?? [];
  const text =
    ask.prompt?.trim() ||
    question?.header ||
    question?.prompt ||
    action?.name ||
    ask.document?.markdown ||
    (ask.link ? new URL(ask.link.url).host : '');
  const line =
    text
      .split(/\r?\n/)
      .map((one) =>
        one
          .replace(/^[\s#>*-]+/, '')
          .replace(/\p{Cc}/gu, ' ')
          .trim(),
      )
      .find((one) => one !== '') ?? 'Untitled';
  const characters = Array.from(line);
  return characters.length <= 140 && line.length <= 140 ? line : `${cut(characters, 139)}…`;
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

function questionFaults(question: Question, path: PropertyKey[], schemaFaults: SchemaFaults): Fault[] {
  // Answers come back as members of these names, and readers of JSON take this one for something else.
  if (question.id === '__proto__')
    return [{ path: pointer([...path, 'id']), code: 'ask.id', message: 'cannot be "__proto__"' }];
  if (question.type === 'form') return unusable(schemaFaults(question.schema), [...path, 'schema']);
  if (question.type === 'text') return [];
  const faults = twice(
    question.options.map(({ value }) => value),
    [...path, 'options'],
    'value',
  );
  const most = question.options.length + (question.allowOther ? 1 : 0);
  if ((question.min ?? 0) > Math.min(question.max ?? most, most)) {
    faults.push({ path: pointer([...path, 'min']), code: 'ask.min_above_max', message: 'is more than can be chosen' });
  }
  return faults;
}

function actionFaults(action: Action, path: PropertyKey[], schemaFaults: SchemaFaults): Fault[] {
  const faults = twice(action.allowed, [...path, 'allowed']);
  faults.push(
    ...twice(
      action.options?.map(({ id }) => id),
      [...path, 'options'],
      'id',
    ),
  );
  if (action.argsSchema) faults.push(...unusable(schemaFaults(action.argsSchema), [...path, 'argsSchema']));
  return faults;
}

function unusable(faults: Fault[], path: PropertyKey[]): Fault[] {
  return faults.map(({ message }) => ({ path: pointer(path), code: 'ask.schema', message }));
}

function suggestedFaults(ask: Ask, schemaFaults: SchemaFaults): Fault[] {
  if (ask.onExpire === 'decider') {
    return [
      { path: '/onExpire', code: 'ask.no_decider', message: 'cannot be "decider": this hub has no deciders yet' },
    ];
  }
  if (ask.onExpire === 'suggested' && ask.actions) {
    return [
      {
        path: '/onExpire',
        code: 'ask.suggested_actions',
        message: 'may not be "suggested" for actions: silence never approves',
      },
    ];
  }
  if (ask.suggested === undefined) {
    return ask.onExpire === 'suggested'
      ? [{ path: '/suggested', code: 'ask.suggested_missing', message: 'is missing, but onExpire names it' }]
      : [];
  }
  const secret = ask.questions?.find(
    (question) => question.type === 'text' && question.secret && ask.suggested?.values?.[question.id] !== undefined,
  );
  if (secret)
    return [
      {
        path: pointer(['suggested', 'values', secret.id]),
        code: 'ask.suggested_secret',
        message: 'cannot suggest the answer to a secret question',
      },
    ];
  return answerFaults(ask, ask.suggested, { partial: ask.onExpire !== 'suggested', schemaFaults }).map((fault) => ({
    ...fault,
    path: `/suggested${fault.path}`,
  }));
}

/** Only what stands in the address itself; what its name resolves to is checked when connecting. */
function callbackFaults({ callback }: Ask): Fault[] {
  if (callback === undefined || refusedUrl(new URL(callback.url), isPublic) === undefined) return [];
  const message = 'is in a private network; let the owner set it as the webhook of this source instead';
  return [{ path: '/callback/url', code: 'ask.callback_private', message }];
}

function twice(values: string[] | undefined, path: PropertyKey[], member?: string): Fault[] {
  return (values ?? []).flatMap((value, at) =>
    values?.indexOf(value) === at
      ? []
      : [
          {
            path: pointer(member ? [...path, at, member] : [...path, at]),
            code: 'ask.twice',
            message: `"${value}" stands here twice`,
          },
        ],
  );
}
