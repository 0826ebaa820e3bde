import { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import { toSeconds } from '../../platform/http/wait.ts';
import { isDescribed } from './schema.ts';

export const MAX_SECONDS = 30 * 86_400;
const MAX_TEXT = 8_192;
const TEXT = `takes a text of at most ${MAX_TEXT} characters`;
const HANDLES = 'takes handles of people or groups with commas between them, e.g. to=alice,ops';
const PARAMETER = 'description.';

const Text = z.string().max(MAX_TEXT, TEXT).regex(/\S/, TEXT);
const seconds = (min: number) => {
  const error = `takes seconds, at least ${min} and at most ${MAX_SECONDS} (30 days)`;
  return z.preprocess(toSeconds, z.number(error).min(min, error).max(MAX_SECONDS, error).optional());
};
const Query = z.object({
  /** What `send_inquiry` is called to be. */
  description: Text.optional(),
  /** The same for its parameters, by dotted path. */
  parameters: z.record(z.string(), Text),
  to: z
    .string()
    .transform((list) => list.split(',').map((handle) => handle.trim()))
    .pipe(z.array(z.string().min(1, HANDLES).max(100, HANDLES)))
    .optional(),
  deadline: seconds(1),
  /** How long a call waits before it returns as pending; 0: for ever. */
  wait: seconds(0),
  locale: z.enum(['en', 'zh'], 'takes en or zh').optional(),
  /** Off: calls never become tasks. */
  task: z.enum(['on', 'off'], 'takes on or off').optional(),
});

const NAMES = Object.keys(Query.shape).filter((name) => name !== 'parameters');
const KNOWN = [...NAMES, `${PARAMETER}prompt and so on`].join(', ');

/** What one connection sets in its URL: it wins over what the model says. */
export type Overrides = z.infer<typeof Query>;

/** Reads the query string of a connection; a value that cannot be meant is refused with 400 and one sentence. */
export function readOverrides(query: URLSearchParams): Overrides {
  const parameters = [...query].flatMap(([name, value]) =>
    name.startsWith(PARAMETER) ? [[name.slice(PARAMETER.length), value] as const] : [],
  );
  const [unknown] = parameters.find(([path]) => !isDescribed(path)) ?? [];
  if (unknown !== undefined)
    throw refused(`"${PARAMETER}${unknown}" names no parameter of send_inquiry; try description.prompt.`);
  const stranger = [...query.keys()].find((name) => !name.startsWith(PARAMETER) && !NAMES.includes(name));
  if (stranger !== undefined) throw refused(`"${stranger}" is no query parameter of /mcp; it takes ${KNOWN}.`);
  const read = Query.safeParse({ ...Object.fromEntries(query), parameters: Object.fromEntries(parameters) });
  if (read.success) return read.data;
  const [first = '', path = ''] = read.error.issues[0]?.path ?? [];
  const name = first === 'parameters' ? `${PARAMETER}${String(path)}` : String(first);
  throw refused(`"${name}" ${read.error.issues[0]?.message}.`);
}

function refused(detail: string): AppError {
  return new AppError(400, 'mcp.bad_query', detail);
}
