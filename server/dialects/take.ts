import type { Ask } from '#shared/inquiry.ts';
import { fault, invalid } from '#shared/faults.ts';
import { JsonError, parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { iso } from '../platform/clock.ts';
import type { Answered, Dialect, Query, Read } from './dialect.ts';

/** The dialect of this name; 404 with all of them. */
export function findDialect(dialects: Dialect[], name: string): Dialect {
  const found = dialects.find((one) => one.name === name);
  if (found) return found;
  const names = dialects.map((one) => one.name);
  const detail = `There is no dialect "${name}". This hub speaks ${names.join(', ')}.`;
  throw new AppError(404, 'dialect.unknown', detail, { extra: { dialects: names } });
}

/** The right to ask about something that no person can be shown: the framework gets its own "no" instead. */
export class Unshowable extends Error {}

/** The same for what has more in it than a person can read. */
export class TooLong extends Unshowable {}

/** What a body is, exactly; with the reason where no person can be shown it. */
export function parseBody(text: string): { body: unknown; unshowable?: JsonError } {
  try {
    return { body: parseExact(text) };
  } catch (error) {
    if (!(error instanceof JsonError) || error.kind !== 'unsafe') throw error;
    return { body: JSON.parse(text), unshowable: error };
  }
}

/** Reads a body by its dialect. Of one that another dialect reads, the refusal names that one's address. */
export function readBody(dialects: Dialect[], dialect: Dialect, body: unknown, query: Query): Read {
  const asksOther = (one: Dialect, refused = false) => one !== dialect && asksBy(one, body, query, refused);
  let read: Read;
  try {
    read = dialect.read(body, query);
  } catch (error) {
    const other = error instanceof AppError && dialects.find((one) => asksOther(one));
    throw other ? belongsTo(other) : error;
  }
  // A program that waits for its own hook's word takes another's "nobody has to be asked" for leave to run the tool; an
  // event that passes at one hook and that another one refuses is the other's, with a fault.
  const isEvent = dialect.undecided !== undefined;
  const sender = 'pass' in read && !read.own && dialects.find((one) => one.undecided && asksOther(one, isEvent));
  if (sender) throw belongsTo(sender);
  return read;
}

function belongsTo({ name, label }: Dialect): AppError {
  const message = `belongs to ${label}: send it to POST /v1/ask/${name}`;
  return invalid([fault('', 'ask.other_dialect', message, { dialect: name })], 'ask.other_dialect');
}

function asksBy(dialect: Dialect, body: unknown, query: Query, refused: boolean): boolean {
  try {
    return 'asks' in dialect.read(body, query);
  } catch (error) {
    if (error instanceof AppError) return refused;
    throw error;
  }
}

/** The reply to an ask that no person was shown: nobody decided, for this reason. */
export function refuse(
  dialect: Dialect,
  { asks, keep }: Extract<Read, { asks: unknown }>,
  { refused, source, now }: { refused: Unshowable; source: string; now: number },
): unknown {
  const text = `Nobody was asked and nobody decided: ${refused.message}`;
  const resolution = { outcome: 'withdrawn', at: iso(now), text, by: { kind: 'source', label: source } } as const;
  const unasked = ({ actions, questions, link }: Ask): Answered => ({
    ...(actions && { actions }),
    ...(questions && { questions }),
    ...(link && { link }),
    resolution,
  });
  const write = refused instanceof TooLong ? (dialect.tooLong ?? dialect.write) : dialect.write;
  return write(
    keep,
    asks.map(({ ask }) => unasked(ask)),
  );
}
