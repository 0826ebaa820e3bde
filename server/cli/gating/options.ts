import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { faultsOf } from '#shared/faults.ts';
import { ChangeGate } from '#shared/gate.ts';
import { parseExact } from '#shared/json.ts';
import { unreadCommands } from '../../policies/change.ts';
import { list, parse, UsageError } from '../command/terminal.ts';

/** One gate's rules, as in GATES_FILE, without an upstream: that is the command. */
const Rules = ChangeGate.omit({ upstream: true, sources: true });
/** `waitSeconds`: when a call returns undecided; 0: never; absent: as its client can take it. */
export type WrappedGate = ReturnType<typeof Rules.parse> & { name: string; waitSeconds?: number };
export type Wrapping = { gate: WrappedGate; command: string; args: string[] };

export const GATE_HELP = `beckon gate [OPTIONS] -- COMMAND [ARGS]: hold the tool calls of a local MCP server for a person

  --ask PATTERN            hold calls of these tools; "*" stands for any text
  --allow PATTERN          let them pass
  --deny PATTERN           refuse them
                           each as often as needed; the first that fits counts
  --otherwise WHAT         for all others: annotations (read-only passes, all else asks; the default), ask, allow, deny
  --to HANDLE,HANDLE       who is asked; by default whom the key asks
  --deadline SECONDS       how long a call is held (3600)
  --wait SECONDS           how long a call waits before it returns undecided, to be made again; 0 for ever; by default
                           just short of a minute where its client shows no progress, else for ever
  --elicit people          people of the hub answer what the server asks its client for
  --config FILE            JSON with rules, otherwise, to, deadline, elicitation, as one gate has them in GATES_FILE;
                           the options above stand before its rules and in place of its other members
  --name NAME              what people read as the server's name

Everything but tool calls passes as it is. The hub is BECKON_URL with BECKON_KEY; without a key it is the hub's own
machine that asks. While no hub replies, what would be asked is refused.
`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const lists = { ask: texts, allow: texts, deny: texts };
const OPTIONS = {
  ...lists,
  otherwise: text,
  to: text,
  deadline: text,
  wait: text,
  elicit: text,
  config: text,
  name: text,
};

/** Reads the arguments of `beckon gate`; throws `UsageError` with one sentence. */
export function readWrapping(args: string[]): Wrapping {
  const at = args.indexOf('--');
  const [command, ...rest] = at < 0 ? [] : args.slice(at + 1);
  const given = at < 0 ? args : args.slice(0, at);
  const { values, positionals } = parse(given, OPTIONS);
  if (command === undefined || command === '' || positionals.length > 0)
    throw new UsageError('Write "beckon gate [OPTIONS] -- COMMAND [ARGS]"; "beckon gate --help" lists the options.');
  const kept: Record<string, unknown> = values.config === undefined ? {} : readConfig(values.config);
  const rules = Array.isArray(kept['rules']) ? (kept['rules'] as unknown[]) : [];
  const to = list(values.to);
  const parsed = Rules.safeParse({
    ...kept,
    rules: [...rulesOf(given), ...rules],
    ...(values.otherwise === undefined ? {} : { otherwise: values.otherwise }),
    ...(to ? { to } : {}),
    ...(values.deadline === undefined ? {} : { deadline: Number(values.deadline) }),
    ...(values.elicit === undefined ? {} : { elicitation: values.elicit }),
  });
  if (!parsed.success) throw new UsageError(sentence(faultsOf(parsed.error), values.config));
  const faults = [...unreadCommands(parsed.data.rules), ...ofSources(parsed.data.rules)];
  if (faults.length > 0) throw new UsageError(sentence(faults, values.config));
  const wait = values.wait === undefined ? {} : { waitSeconds: secondsOf(values.wait) };
  return {
    gate: { ...parsed.data, ...wait, name: values.name ?? nameOf(command, rest) },
    command,
    args: rest,
  };
}

// Which source asks is the key's, and only the hub knows it.
function ofSources(rules: WrappedGate['rules']): { path: string; message: string }[] {
  return rules.flatMap(({ when }, at) =>
    when?.source === undefined ? [] : [{ path: `/rules/${at}/when/source`, message: 'is for gates of the hub only' }],
  );
}

function secondsOf(wait: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(wait) ? Number(wait) : NaN;
  if (seconds <= 30 * 86_400) return seconds;
  throw new UsageError('--wait takes seconds, at most 2592000 (30 days); 0 waits for ever.');
}

// In the order given, whichever option they came by; `parse` has refused what is none.
function rulesOf(given: string[]): { tool: string; does: string }[] {
  const rules: { tool: string; does: string }[] = [];
  for (let at = 0; at < given.length; at++) {
    const [, does, own] = /^--(ask|allow|deny)(?:=(.*))?$/s.exec(given[at] ?? '') ?? [];
    if (does === undefined) continue;
    rules.push({ tool: own ?? given[++at] ?? '', does });
  }
  return rules;
}

function readConfig(file: string): Record<string, unknown> {
  let words: string;
  try {
    words = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  try {
    JSON.parse(words);
    const config = parseExact(words);
    if (typeof config === 'object' && config !== null && !Array.isArray(config))
      return config as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`The file ${file} is not JSON: ${(error as Error).message}.`);
  }
  throw new UsageError(`The file ${file} is not one gate's rules: {"rules": [{"tool": "…", "does": "ask"}]}.`);
}

function sentence(faults: { path: string; message: string }[], file: string | undefined): string {
  const [first] = faults;
  const where = file === undefined ? '' : ` (options and ${file})`;
  return `${(first?.path ?? '').slice(1) || 'The rules'} ${first?.message}${where}; see "beckon gate --help".`;
}

// "npx -y @scope/server-files /home" is called after its package, not after npx.
function nameOf(command: string, args: string[]): string {
  const own = basename(command).replace(/\.(exe|cmd)$/i, '');
  const runner = /^(npx|bunx|uvx|uv|node|bun|deno|python[\d.]*|pipx)$/.test(own);
  const wrapped = runner ? args.find((arg) => !arg.startsWith('-') && !/^(run|x|exec)$/.test(arg)) : undefined;
  return wrapped === undefined ? own : basename(wrapped).replace(/@[\w.^~-]+$|\.\w+$/, '') || own;
}
