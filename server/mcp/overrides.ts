import { AppError } from '#shared/problem.ts';
import type { Language } from '#shared/text.ts';
import { isDescribed } from './tools/schema.ts';

const MAX_SECONDS = 30 * 86_400;
const MAX_DESCRIPTION = 8_192;

/** What one connection sets in its URL: it wins over what the model says. */
export type Overrides = {
  /** What `send_inquiry` is called to be. */
  description?: string;
  /** The same for its parameters, by dotted path. */
  parameters: Record<string, string>;
  to?: string[];
  deadlineSeconds?: number;
  /** How long a call waits before it returns as pending; 0: for ever. */
  waitSeconds?: number;
  locale?: Language;
  /** False: calls never become tasks. */
  tasks: boolean;
};

/** Reads the query string of a connection; a value that cannot be meant is refused with 400 and one sentence. */
export function readOverrides(query: URLSearchParams): Overrides {
  const overrides: Overrides = { parameters: {}, tasks: true };
  for (const [name, value] of query) {
    if (name === 'description') overrides.description = descriptionOf(name, value);
    else if (name.startsWith('description.')) readParameter(overrides, name, value);
    else if (name === 'to') overrides.to = listOf(value);
    else if (name === 'deadline') overrides.deadlineSeconds = secondsOf(name, value, 1);
    else if (name === 'wait') overrides.waitSeconds = secondsOf(name, value, 0);
    else if (name === 'locale') overrides.locale = localeOf(value);
    else if (name === 'task') overrides.tasks = switchOf(value);
  }
  return overrides;
}

function readParameter({ parameters }: Overrides, name: string, value: string): void {
  const path = name.slice('description.'.length);
  if (!isDescribed(path)) throw refused(`"${name}" names no parameter of send_inquiry; try description.prompt.`);
  parameters[path] = descriptionOf(name, value);
}

function descriptionOf(name: string, value: string): string {
  if (value.trim() === '' || value.length > MAX_DESCRIPTION)
    throw refused(`"${name}" takes a text of at most ${MAX_DESCRIPTION} characters.`);
  return value;
}

function listOf(value: string): string[] {
  const handles = value.split(',').map((handle) => handle.trim());
  if (handles.some((handle) => handle === '' || handle.length > 100))
    throw refused('"to" takes handles of people or groups with commas between them, e.g. to=alice,ops.');
  return handles;
}

function secondsOf(name: string, value: string, min: number): number {
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (!(seconds >= min && seconds <= MAX_SECONDS))
    throw refused(`"${name}" takes seconds, at least ${min} and at most ${MAX_SECONDS} (30 days).`);
  return seconds;
}

function localeOf(value: string): Language {
  if (value !== 'en' && value !== 'zh') throw refused('"locale" takes en or zh.');
  return value;
}

function switchOf(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw refused('"task" takes on or off.');
  return value === 'on';
}

function refused(detail: string): AppError {
  return new AppError(400, 'mcp.bad_query', detail);
}
