import { createHmac, hkdfSync } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/client';
import { seal, unseal } from '../../../platform/secrets/secrets.ts';
import { CallCancelled } from '../hold.ts';
import { withoutValue, withValue } from '../../json-text.ts';
import { isId, isModern, type Given, type Id } from '../../messages.ts';
import { AppError } from '#shared/problem.ts';
import type { ElicitResult } from '../../../dialects/elicitation/elicitation.ts';

/** Why a question is taken back when its client did not come back for the answer. */
export class ClientGone extends CallCancelled {}

export type Asking = ReturnType<typeof createAsking>;
type Place = { present: number; waiting: Map<string, AbortController>; leaving: NodeJS.Timeout | undefined };

/** What upstreams of the older revisions ask and people have not answered yet, by place: a session, or one visit without. */
export function createAsking() {
  const places = new Map<string, Place>();
  const at = (name: string): Place => {
    const place = places.get(name) ?? { present: 0, waiting: new Map(), leaving: undefined };
    places.set(name, place);
    return place;
  };
  const tidy = (name: string, place: Place): void => {
    if (place.present > 0 || place.waiting.size > 0) return;
    clearTimeout(place.leaving);
    if (places.get(name) === place) places.delete(name);
  };
  const abortAll = ({ waiting }: Place, reason: CallCancelled): void => {
    for (const abort of waiting.values()) abort.abort(reason);
  };
  return {
    /** A client is at this place until the result is called; the last one to leave takes the questions with it, after the grace. */
    enter(name: string, graceMs: number): () => void {
      const place = at(name);
      clearTimeout(place.leaving);
      place.present += 1;
      let here = true;
      return () => {
        if (!here) return;
        here = false;
        place.present -= 1;
        tidy(name, place);
        if (place.present > 0 || place.waiting.size === 0) return;
        place.leaving = setTimeout(() => abortAll(place, new ClientGone('Its client is gone.')), graceMs).unref();
      };
    },
    /** Begins one question; "known" where it waits already, "full" above the limit. Its signal aborts when nobody wants the answer. */
    begin(name: string, id: string): { signal: AbortSignal; done: () => void } | 'known' | 'full' {
      const place = at(name);
      if (place.waiting.has(id)) return 'known';
      if (place.waiting.size >= MOST_WAITING) return 'full';
      const abort = new AbortController();
      place.waiting.set(id, abort);
      const done = (): void => {
        place.waiting.delete(id);
        tidy(name, place);
      };
      return { signal: abort.signal, done };
    },
    /** The upstream takes one back; false: it does not wait here. */
    takeBack(name: string, id: string, reason: string): boolean {
      const abort = places.get(name)?.waiting.get(id);
      abort?.abort(new CallCancelled(reason));
      return abort !== undefined;
    },
    /** The client ended its session. */
    end(name: string, reason = 'Its session ended.'): void {
      const place = places.get(name);
      if (place) abortAll(place, new CallCancelled(reason));
    },
  };
}

const PREFIX = 'beckon.';

export type Ids = ReturnType<typeof createIds>;

/** The ids under which a client hears what its upstream asks, on every node the same: it can guess none and make none. */
export function createIds(sealingKey: Buffer) {
  const key = Buffer.from(hkdfSync('sha256', sealingKey, '', 'ids of what upstreams ask', 32));
  return {
    shown(place: string, id: Id): string {
      const text = JSON.stringify([place, id]);
      return PREFIX + seal(key, text, createHmac('sha256', key).update(text).digest().subarray(0, 12));
    },
    /** The upstream's id behind one that was shown at this place; undefined for any other. */
    given(place: string, id: unknown): Id | undefined {
      if (typeof id !== 'string' || !id.startsWith(PREFIX)) return undefined;
      try {
        const [at, own] = JSON.parse(unseal(key, id.slice(PREFIX.length))) as unknown[];
        return at === place && isId(own) ? own : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

const FORM_AND_URL = JSON.stringify({ form: {}, url: {} });
const RESPONSES = ['params', 'inputResponses'];
const DECLARED = ['params', '_meta', CLIENT_CAPABILITIES_META_KEY];
/** The requests that a modern upstream may answer with a question of its own (2026-07-28, multi round-trip requests). */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** What a client could be asked in one round with people, or answer in their place. */
const NOT_BESIDE_PEOPLE = [['sampling'], ['roots'], ['extensions', 'io.modelcontextprotocol/tasks']];

/**
 * A client's message as the upstream is to read it where people answer in the client's place: they can be asked, and
 * what the client itself gives as an answer is left out (RES5). Throws `JsonError` where that cannot be done for certain.
 */
export function takeOver({ text, message }: Given): Given & { dropped: boolean } {
  const { inputResponses, ...params } = message.params ?? {};
  if (inputResponses === undefined) return { text: declared({ text, message }), message, dropped: false };
  return {
    text: declared({ text: withoutValue(text, RESPONSES), message }),
    message: { ...message, params },
    dropped: true,
  };
}

function declared({ text, message }: Given): string {
  if (message.method === 'initialize') return withValue(text, ['params', 'capabilities', 'elicitation'], FORM_AND_URL);
  if (!isModern(message) || !MAY_ASK.has(message.method ?? '')) return text;
  const alone = NOT_BESIDE_PEOPLE.reduce((rest, path) => withoutValue(rest, [...DECLARED, ...path]), text);
  return withValue(alone, [...DECLARED, 'elicitation'], FORM_AND_URL);
}

/** So many questions of one upstream may wait for people at once: what comes beyond is a flood and no conversation. */
export const MOST_WAITING = 8;
/** So many may come in one stream, however quickly they are taken back or answered. */
export const MOST_OF_STREAM = 64;
/** What an upstream is told that asks more. */
export const TOO_MANY = `No more than ${MOST_WAITING} questions may wait for people at once here, nor ${MOST_OF_STREAM} come in one stream.`;
/** Why a call ends whose upstream wants what neither people nor, beside them, its client may give. */
export const NOT_FOR_PEOPLE = 'The MCP server asks its client for more than people can answer in its place.';

/** Asks people one thing and waits. "gone": nobody is there to be told. Throws `AppError` 422 where it cannot be shown. */
export type Elicit = (params: unknown, signal: AbortSignal) => Promise<ElicitResult | 'gone'>;

/** What an upstream still needs before it can answer: `inputRequests` of an `input_required` result (MCP 2026-07-28), by their keys. */
export type Round = { inputRequests: Record<string, { params?: unknown }>; requestState?: string };

/** What an upstream still needs, where people can give it; undefined where it needs nothing. */
export function roundForPeople(result: unknown): Round | 'not for people' | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  const requests = Object.values(inputRequests ?? {});
  if (resultType !== 'input_required' || requests.length === 0) return undefined;
  const elicits = (request: unknown) => (request as { method?: unknown } | null)?.method === 'elicitation/create';
  if (!requests.every(elicits)) return 'not for people';
  return {
    inputRequests: inputRequests as Round['inputRequests'],
    ...(typeof requestState === 'string' ? { requestState } : {}),
  };
}

/**
 * Asks people all that one round asks, at the same time; the result is the `inputResponses` of the call's
 * next round. Throws as `elicit` does, once nothing of the round waits any more.
 */
export async function answerRound(
  { inputRequests }: Round,
  elicit: Elicit,
  given: AbortSignal,
): Promise<Record<string, ElicitResult> | 'gone'> {
  const requests = Object.entries(inputRequests);
  if (requests.length > MOST_WAITING) throw new AppError(422, 'elicitation.invalid', TOO_MANY);
  const others = new AbortController();
  const signal = AbortSignal.any([given, others.signal]);
  const answering = requests.map(async ([key, { params }]) => {
    try {
      return [key, await elicit(params, signal)] as const;
    } catch (error) {
      others.abort();
      throw error;
    }
  });
  const settled = await Promise.allSettled(answering);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (answers.some(([, answer]) => answer === 'gone')) return 'gone';
  return Object.fromEntries(answers) as Record<string, ElicitResult>;
}
