import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Ask, Question } from '#shared/inquiry.ts';
import { parseWritten } from '#shared/json.ts';
import type { Given } from '../command/command.ts';
import { list, UsageError } from '../command/terminal.ts';

export const OPTIONS = {
  options: { type: 'string', value: 'A,B', means: 'the options to choose one of; without, any text' },
  approve: { type: 'string', value: 'NAME', means: 'ask to approve a call of this name, with the arguments of --args' },
  args: { type: 'string', value: 'JSON', means: 'the arguments of the call, as JSON' },
  editable: { type: 'boolean', means: 'let the arguments be changed too; they are what is printed then' },
  form: {
    type: 'string',
    value: 'FILE',
    means: 'the questions to answer, as in "questions" of an ask; - reads standard input',
  },
  to: { type: 'string', value: 'HANDLE,HANDLE', means: 'who is asked; by default the owner' },
  wait: { type: 'string', value: 'SECONDS', means: 'seconds to wait, default 86400 (1 day), at most 2592000' },
  'no-wait': { type: 'boolean', means: 'print the id and wait for nothing; "beckon show ID --answer" does later' },
  key: {
    type: 'string',
    value: 'KEY',
    means: 'the same key asks once: sent again, it finds its question and the answer',
  },
} as const;

/** What the hub takes, told here in words of the command line. */
const OPTION_CHARACTERS = 500;
const MOST_OPTIONS = 50;

/** What `beckon ask` asks, or `UsageError`. */
export function readAsk({ values, args: [first = ''] }: Given<typeof OPTIONS>): Ask {
  if (first === '-' && values.form === '-')
    throw new UsageError('PROMPT and --form cannot both be read from standard input.');
  const prompt = first === '-' ? readFileOrInput('-', 'PROMPT').trimEnd() : first;
  if (prompt.trim() === '') throw new UsageError('PROMPT is empty; write what is asked.');
  const forms = (['options', 'approve', 'form'] as const).filter((name) => values[name] !== undefined);
  if (forms.length > 1) throw new UsageError(`--${forms[0]} and --${forms[1]} do not go together; write one of them.`);
  if (values.approve === undefined && (values.args !== undefined || values.editable))
    throw new UsageError(`--${values.editable ? 'editable' : 'args'} needs --approve NAME beside it.`);
  const to = list(values.to);
  return {
    key: values.key ?? `command-line-${randomUUID()}`,
    ...readForm(prompt, values),
    ...(to ? { to } : {}),
    ...readTimes(values.wait),
  };
}

function readForm(prompt: string, { options, approve, args, editable, form }: Given<typeof OPTIONS>['values']) {
  if (form !== undefined) return { prompt, questions: readQuestions(form) };
  if (approve !== undefined) {
    const allowed = ['approve' as const, ...(editable ? ['edit' as const] : []), 'reject' as const];
    return { prompt, actions: [{ name: approve, args: args === undefined ? {} : readJson(args, '--args'), allowed }] };
  }
  const named = readChoices(options);
  return named ? { questions: [choice(prompt, named)] } : { prompt };
}

function readChoices(options: string | undefined): string[] | undefined {
  const named = list(options);
  if (named?.length === 0) throw new UsageError('--options is empty; write the options, e.g. --options Ship,Wait.');
  const twice = named?.find((option, at) => named.indexOf(option) < at);
  if (twice !== undefined) throw new UsageError(`--options names "${twice}" twice; write each option once.`);
  const long = named?.find((option) => option.length > OPTION_CHARACTERS);
  if (long !== undefined)
    throw new UsageError(`--options holds one of ${long.length} characters; ${OPTION_CHARACTERS} are the most.`);
  if ((named?.length ?? 0) > MOST_OPTIONS)
    throw new UsageError(`--options names ${named?.length} options; ${MOST_OPTIONS} are the most.`);
  return named;
}

function choice(prompt: string, options: string[]): Question {
  return { id: 'answer', type: 'choice', prompt, options: options.map((option) => ({ value: option, label: option })) };
}

function readQuestions(file: string): Question[] {
  const read = readJson(readFileOrInput(file, '--form'), `--form ${file}`) as Question[] | { questions?: Question[] };
  const questions = Array.isArray(read) ? read : read?.questions;
  if (Array.isArray(questions)) return questions;
  throw new UsageError(
    `--form ${file} is no list of questions: [{"id": "day", "type": "text", "prompt": "Which day?"}].`,
  );
}

/** The text of a file, or of standard input for "-"; `UsageError` in words of what named it. */
export function readFileOrInput(file: string, named: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${named} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** The JSON value of a text, every number as it was written; `UsageError` in words of what named it. */
export function readJson(text: string, option: string): Ask['correlation'] & {} {
  try {
    return parseWritten(text) as Ask['correlation'] & {};
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}.`);
  }
}

function readTimes(wait: string | undefined) {
  if (wait === undefined) return {};
  const seconds = Number(wait);
  if (seconds > 0 && seconds <= 30 * 86_400) return { deadline: seconds, latest: seconds };
  throw new UsageError('--wait must be a number of seconds, more than 0 and at most 2592000 (30 days).');
}
