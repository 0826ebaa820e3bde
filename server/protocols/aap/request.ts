import { hash } from 'node:crypto';
import { z } from 'zod';
import { Ask, type Inquiry } from '#shared/inquiry.ts';
import { parseOrRefuse } from '#shared/faults.ts';
import { toUuid } from '#shared/ids.ts';
import { canonical, isRaw, parseExact, withoutUndefined, type Json } from '#shared/json.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import { AAP } from '../../deliveries/answer-body.ts';
import { AAP_KEY } from '../../inquiries/expire.ts';
import { DIGEST_CHARACTERS } from '../../inquiries/same.ts';
import { iso } from '../../platform/clock.ts';

/** A positive whole number with its unit; `toSeconds` reads it. */
export const Duration = z.string().regex(/^[1-9][0-9]*(s|m|h)$/, 'is not a whole number with s, m or h');

/** What an adapter asks. `server` stands in no document of the protocol; its own client sends it and wants it back. */
export const CreateRequest = z.strictObject({
  tool: z.string().min(1),
  server: z.string().optional(),
  arguments: JsonObject,
  timeout: Duration,
  agent_reasoning: z.string().optional(),
  context: JsonObject.optional(),
});
export type CreateRequest = z.infer<typeof CreateRequest>;

const MOST_SECONDS = 30 * 86_400;
const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** A duration in seconds, however long its number is. */
export function toSeconds(duration: string): number {
  return Number(duration.slice(0, -1)) * (UNITS[duration.slice(-1)] ?? NaN);
}

/** How long a request may stay open: as it asks, at most as long as an inquiry may. */
const windowSeconds = ({ timeout }: Pick<CreateRequest, 'timeout'>): number =>
  Math.min(toSeconds(timeout), MOST_SECONDS);

/** What is stored beside the inquiry: a digest that equal requests share, and the request as it came. */
export function toKept(body: CreateRequest): string {
  return hash('sha256', canonical(comparable(body as Json))) + JSON.stringify(body);
}

/** Whether both hold the same values, whatever their white space, their order and the spelling of their numbers. */
export function isSameRequest(kept: string, other: string): boolean {
  return kept.slice(0, DIGEST_CHARACTERS) === other.slice(0, DIGEST_CHARACTERS);
}

function comparable(value: Json): Json {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number' || isRaw(value)) return `n${plainNumber(JSON.stringify(value))}`;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, comparable(inner)]));
}

/** Longer ones are compared as they are written: reading them would cost more than their length. */
const LONGEST_NUMBER = 400;

function plainNumber(text: string): string {
  if (text.length > LONGEST_NUMBER) return text;
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${BigInt(exponent.replace('+', '')) + BigInt(digits.length - short.length - fraction.length)}`;
}

/** The key under which a request is found again; nothing else that its source asks has one like it. */
export function toKey(idempotencyKey: string): string {
  return AAP_KEY + hash('sha256', idempotencyKey);
}

const CLAIM = { en: 'The agent says, and nobody checked it:', zh: 'Agent 自述，未经核实：' };
const MOST_CLAIM = 10_000;

/**
 * What people are asked: one call to approve or to reject as it stands. It stays open as long as the request says and no
 * extension moves that. Throws 422 where the call cannot be shown.
 */
export function toAsk(
  { tool, server, arguments: args, timeout, agent_reasoning: claim = '', context = {} }: CreateRequest,
  { key, validFor, locale }: { key: string; validFor: number | undefined; locale: 'en' | 'zh' | undefined },
): Ask {
  const seconds = windowSeconds({ timeout });
  // The spelling of agents that call tools of MCP servers, by which the rules of other doors know the same call.
  const name = server ? `mcp__${server}__${tool}` : tool;
  const said = claim.slice(0, MOST_CLAIM).toWellFormed().trim().replace(/\r?\n/g, '\n> ');
  return parseOrRefuse(Ask, {
    actions: [
      withoutUndefined({
        name,
        args,
        description: said === '' ? undefined : `${CLAIM[locale ?? 'en']}\n\n> ${said}`,
        allowed: ['approve', 'reject'],
      }),
    ],
    context: withoutUndefined({
      agent: short(context['runtime'], 200),
      threadId: short(context['session_id'], 200),
      cwd: short(context['cwd'], 1000),
    }),
    deadline: seconds,
    latest: seconds,
    key,
    ...(validFor === undefined ? {} : { validFor }),
  });
}

// What an adapter observed is shown small, and names nobody.
function short(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined;
}

type Ended = { status: 'approved' | 'denied' | 'expired' | 'cancelled'; note?: string; decided_at: string };
export type Decision = Ended & { expires_at?: string };
export type ApprovalRequest = CreateRequest & {
  id: string;
  status: 'pending' | Ended['status'];
  created_at: string;
  deadline_at: string;
  decision?: Decision;
};

type Read = Pick<Inquiry, 'id' | 'openedAt' | 'resolution'>;

/**
 * A request as its adapter reads it: what it sent comes back with every digit, and neither its times nor its end ever
 * change. It follows from what is stored alone.
 */
export function toRequest(kept: string, inquiry: Read): ApprovalRequest {
  const asked = parseExact(kept.slice(DIGEST_CHARACTERS)) as CreateRequest;
  const deadlineAt = Date.parse(inquiry.openedAt) + windowSeconds(asked) * 1000;
  const decision = readDecision(inquiry, deadlineAt);
  return {
    id: toUuid(inquiry.id),
    ...asked,
    status: decision?.status ?? 'pending',
    created_at: inquiry.openedAt,
    deadline_at: iso(deadlineAt),
    ...(decision ? { decision } : {}),
  };
}

function readDecision({ openedAt, resolution }: Read, deadlineAt: number): Decision | undefined {
  if (!resolution) return undefined;
  const { outcome, at, answer, message, validUntil } = resolution;
  const [given] = answer?.decisions ?? [];
  const decided = outcome === 'answered' || outcome === 'declined';
  // An answer counts from when it arrived, before the deadline, although it was written down after it.
  const until = decided ? Math.min(Date.parse(at), deadlineAt) : Date.parse(at);
  const decidedAt = Math.max(until, Date.parse(openedAt));
  const noted = (status: Ended['status'], note: string | undefined): Ended => ({
    status,
    ...(note ? { note } : {}),
    decided_at: iso(decidedAt),
  });
  if (outcome === 'expired') return noted('expired', undefined);
  if (outcome === 'withdrawn') return noted('cancelled', message);
  if (outcome !== 'answered' || given?.type !== 'approve')
    return noted('denied', given?.type === 'reject' ? given.message : message);
  // Without an end that is still to come nothing may run.
  return validUntil !== undefined && Date.parse(validUntil) > decidedAt
    ? { ...noted('approved', undefined), expires_at: validUntil }
    : noted('expired', undefined);
}

/** What its receiver is told of an end: that there is one, and where to read it. */
export function toEvent(kept: string, inquiry: Read & Pick<Inquiry, 'source'>): object {
  return {
    type: 'request.resolved',
    instance_id: toUuid(inquiry.source.id),
    request_id: toUuid(inquiry.id),
    created_at: toRequest(kept, inquiry).decision?.decided_at,
  };
}

/** What people read as the way by which it was asked. */
export const DIALECT = { name: AAP, label: 'Agent Approval Protocol' };
