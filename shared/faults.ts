import type { z } from 'zod';
import { AppError, type Fault } from './problem.ts';
import type { ProblemCode } from './reference/problems.ts';

/** Every fault that a schema found, each with the JSON Pointer of its place. */
export function toFaults(error: { issues: z.core.$ZodIssue[] }): Fault[] {
  return error.issues.flatMap((issue) => issueFaults(issue, []));
}

/** Parses with a schema or throws 422 `request.invalid` with every fault. */
export function parseOrRefuse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(toFaults(parsed.error));
}

/** The refusal that carries these faults; its detail is one sentence that names the first three. */
export function invalid(faults: Fault[], code: ProblemCode = 'request.invalid'): AppError {
  return new AppError(422, code, summary(faults), { faults });
}

/** One fault at a place, a JSON Pointer; `params` are what its message names. */
export function fault(path: string, code: string, message: string, params?: Record<string, unknown>): Fault {
  return { path, code, message, ...(params ? { params } : {}) };
}

/** A JSON Pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

function issueFaults(issue: z.core.$ZodIssue, above: PropertyKey[]): Fault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => fault(pointer([...path, key]), 'field.unknown', 'is not a member this call knows'));
  }
  if (issue.code === 'invalid_union') {
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0];
    if (closest && closest.length > 0 && issue.errors.length === 1)
      return closest.flatMap((inner) => issueFaults(inner, path));
  }
  return [fault(pointer(path), `field.${issue.code}`, toMessage(issue), toParams(issue))];
}

function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.message.endsWith('received undefined')) return 'is missing';
    const expected = issue.expected === 'record' ? 'object' : issue.expected;
    return `must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
  }
  if (issue.code === 'too_big')
    return ownWords(issue.message) ?? sizeMessage(issue.origin, 'more', issue.maximum, issue.inclusive);
  if (issue.code === 'too_small') return sizeMessage(issue.origin, 'less', issue.minimum, issue.inclusive);
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
  // What is wrong with a member's name, as its own schema says.
  if (issue.code === 'invalid_key' && issue.issues[0]) return toMessage(issue.issues[0]);
  return plainly(issue.message);
}

/** What a schema says itself of a size, in place of the library's words. */
function ownWords(message: string): string | undefined {
  return /^(Too big|Too small|Invalid)/.test(message) ? undefined : message;
}

function sizeMessage(origin: string, than: 'more' | 'less', limit: number | bigint, inclusive = true): string {
  if (origin === 'string')
    return limit === 1 && than === 'less' ? 'is empty' : `is ${WORDS[than].long} than ${limit} characters`;
  if (origin === 'array')
    return limit === 1 && than === 'less' ? 'is empty' : `has ${WORDS[than].many} than ${limit} entries`;
  return inclusive ? `is ${than} than ${limit}` : `must be ${WORDS[than].other} than ${limit}`;
}

const WORDS = {
  more: { long: 'longer', many: 'more', other: 'less' },
  less: { long: 'shorter', many: 'fewer', other: 'more' },
} as const;

function toParams(issue: z.core.$ZodIssue): Record<string, unknown> | undefined {
  if (issue.code === 'too_big') return { maximum: Number(issue.maximum) };
  if (issue.code === 'too_small') return { minimum: Number(issue.minimum) };
  if (issue.code === 'invalid_value') return { allowed: issue.values };
  if (issue.code === 'invalid_type') return { expected: issue.expected };
  return undefined;
}

function summary(faults: Fault[]): string {
  const first = faults.slice(0, 3).map(({ path, message }) => `${path || 'The body'} ${message.replace(/\.$/, '')}`);
  const rest = faults.length - first.length;
  return `${first.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

/** Zod's own words ("Invalid URL") as the rest of a sentence that begins with the place; a schema's own words as they are. */
function plainly(text: string): string {
  const [, options] = /^Invalid discriminator value\. Expected (.+)$/.exec(text) ?? [];
  if (options !== undefined) return `must be one of ${options.replaceAll("'", '').replaceAll(' |', ',')}`;
  const [, what] = /^Invalid (.+)$/.exec(text) ?? [];
  if (what === undefined) return text.charAt(0).toLowerCase() + text.slice(1);
  return what === 'input' ? 'is not valid' : `is not a valid ${what}`;
}
