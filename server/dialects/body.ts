import type { z } from 'zod';
import { fault, toFaults, invalid } from '#shared/faults.ts';
import { isRaw, parseExact, type Json } from '#shared/json.ts';
import type { Fault } from '#shared/problem.ts';

export type Checks = ReturnType<typeof createChecks>;

/** So many faults are named at most: a body can hold a fault in each of its members. */
export const MOST_FAULTS = 100;

/** Collects the faults of a body, each with its place, so that one refusal names them all, or the first hundred. */
export function createChecks() {
  const faults: Fault[] = [];
  const end = (): void => {
    if (faults.length > 0) throw invalid(faults);
  };
  const add = (found: Fault[]): void => {
    faults.push(...found.slice(0, MOST_FAULTS - faults.length));
    if (faults.length === MOST_FAULTS) end();
  };
  return {
    /** What a schema reads at this place, or undefined where it finds faults. */
    read<T extends z.ZodType>(schema: T, value: unknown, at: string): z.output<T> | undefined {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      add(toFaults(parsed.error).map((one) => ({ ...one, path: at + one.path })));
      return undefined;
    },
    refuse(at: string, code: string, message: string): undefined {
      add([fault(at, code, message)]);
    },
    /** Refuses each of these that stands before as well: answers go by them. */
    unique(ids: unknown[], placeOf: (at: number) => string, code: string): void {
      const known = new Set();
      for (const [at, id] of ids.entries())
        if (id !== undefined && known.size === known.add(id).size)
          add([fault(placeOf(at), code, 'stands here twice: the answers could not be told apart')]);
    },
    /** Throws 422 with every fault found so far. */
    end,
  };
}

/** True for an object that is neither a list nor a number kept as its text. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRaw(value);
}

/** Text on one line of at most so many characters, for a title. */
export function toLine(text: string, max = 140): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  if (line.length <= max) return line;
  return `${line
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** Arguments that a model wrote as text: what they say as JSON, or the text itself where they are none that can be read. */
export function parseArgs(text: string): Json {
  if (text.trim() === '') return {};
  try {
    return parseExact(text) as Json;
  } catch {
    return text;
  }
}

/** A value as a block of JSON in Markdown. */
export function toJsonBlock(value: unknown): string {
  return toBlock(JSON.stringify(value, null, 2), 'json');
}

/** A text as a block of code in Markdown, which nothing in it can end. */
export function toBlock(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
