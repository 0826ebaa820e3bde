import { rawOf, type Raw } from './raw.ts';

export type Seen = {
  id: string;
  status: string;
  created_at: string;
  deadline_at: string;
  decision?: { status: string; note?: string; decided_at: string; expires_at?: string };
};

const SENT = 'tool server arguments timeout agent_reasoning context'.split(' ');
const NEEDED = 'id tool arguments timeout status created_at deadline_at'.split(' ');
const MEMBERS = [...SENT, ...NEEDED, 'decision'];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * Reads a reply as strictly as the protocol's own client: what it would take for no decision throws. `before` is what the
 * same request read as last.
 */
export function accept(text: string, sent: string, before?: Seen): Seen {
  if (Buffer.byteLength(text) > 8 * 1024 * 1024) throw new Error('too long');
  const [reply, asked] = [rawOf(text), rawOf(sent)];
  const members = object(reply, MEMBERS, NEEDED);
  const own = object(asked, SENT, []);
  for (const name of SENT)
    if (!sameValue(members.get(name), own.get(name))) throw new Error(`${name} is not what was sent`);
  const seen = JSON.parse(text) as Seen;
  if (!UUID.test(seen.id)) throw new Error('not a UUID');
  const [created, deadline] = [time(seen.created_at), time(seen.deadline_at)];
  if (deadline <= created) throw new Error('closed as it opened');
  if (before)
    for (const name of ['id', 'created_at', 'deadline_at'] as const)
      if (seen[name] !== before[name]) throw new Error(`${name} changed`);
  if (seen.status === 'pending') {
    if (members.has('decision')) throw new Error('pending and decided');
    return seen;
  }
  if (!['approved', 'denied', 'expired', 'cancelled'].includes(seen.status)) throw new Error('no such status');
  const decided = object(
    members.get('decision'),
    ['status', 'note', 'decided_at', 'expires_at'],
    ['status', 'decided_at'],
  );
  const { decision } = seen;
  if (decision?.status !== seen.status) throw new Error('two outcomes');
  if (time(decision.decided_at) < created) throw new Error('decided before it was asked');
  if (decided.has('expires_at') !== (seen.status === 'approved')) throw new Error('an end of something else');
  if (seen.status === 'approved' && time(decision.expires_at ?? '') <= time(decision.decided_at))
    throw new Error('an approval that ended before it began');
  return seen;
}

/** Whether the call may run, at this moment. */
export const allows = ({ status, decision }: Seen, now: number): boolean =>
  status === 'approved' && now < time(decision?.expires_at ?? '');

function object(value: Raw | undefined, known: string[], needed: string[]): Map<string, Raw> {
  if (!(value instanceof Map)) throw new Error('not an object');
  for (const [name, inner] of value) {
    if (!known.includes(name)) throw new Error(`${name} is unknown`);
    if (inner === null) throw new Error(`${name} is null`);
  }
  for (const name of needed) if (!value.has(name)) throw new Error(`${name} is missing`);
  return value;
}

function time(text: string): number {
  if (!TIME.test(text)) throw new Error(`${text} is no time`);
  return Date.parse(text);
}

function sameValue(a: Raw | undefined, b: Raw | undefined): boolean {
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([name, inner]) => b.has(name) && sameValue(inner, b.get(name)));
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((inner, at) => sameValue(inner, b[at]));
  return a === b;
}
