import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { toFaults } from '#shared/faults.ts';
import { ChangeGate } from '#shared/policies/gate.ts';
import { parseWritten } from '#shared/json.ts';
import type { Fault } from '#shared/problem.ts';
import { unreadCommands } from '../../automation/rules/change.ts';
import { toSeconds } from '../../platform/http/wait.ts';
import type { Given } from '../command/command.ts';
import { list, UsageError } from '../command/terminal.ts';

/** One gate's rules, as in GATES_FILE, without an upstream: that is the command. */
const Rules = ChangeGate.omit({ upstream: true, sources: true });
/** `waitSeconds`: when a call returns undecided; 0: never; absent: as its client can take it. */
type Policy = ReturnType<typeof Rules.parse>;
export type WrappedGate = Policy & { name: string; waitSeconds?: number };
export type Wrapping = { gate: WrappedGate; command: string; args: string[] };

const pattern = { type: 'string', value: 'PATTERN', multiple: true } as const;

/** The options of every gate. */
export const POLICY = {
  ask: { ...pattern, means: 'hold calls of these tools; "*" stands for any text' },
  allow: { ...pattern, means: 'let them pass' },
  deny: { ...pattern, means: 'refuse them; each of the three as often as needed, and the first that fits counts' },
  otherwise: {
    type: 'string',
    value: 'annotations|ask|allow|deny',
    means:
      'for all others (ask); annotations trusts what this server says of its tools: read-only passes, all else asks',
  },
  to: { type: 'string', value: 'HANDLE,HANDLE', means: 'who is asked; by default whom the key asks' },
  deadline: { type: 'string', value: 'SECONDS', means: 'how long a call is held (3600)' },
  'valid-for': { type: 'string', value: 'SECONDS', means: 'how long an approved call may be passed on (60)' },
  approvals: { type: 'string', value: 'COUNT', means: 'how many people have to approve a call (1)' },
  elicit: { type: 'string', value: 'people|client', means: 'who answers what the server asks its client for' },
  receipt: { type: 'boolean', means: 'an approved call carries its receipt, a signed proof of it, to the server' },
  config: {
    type: 'string',
    value: 'FILE',
    means:
      'JSON with rules, otherwise, to, deadline, elicitation, receipt, as one gate has them in GATES_FILE; the options stand before its rules and in place of its other members',
  },
} as const;

export const OPTIONS = {
  ...POLICY,
  wait: {
    type: 'string',
    value: 'SECONDS',
    means:
      'how long a call waits before it returns undecided, to be made again; 0 for ever; by default just short of a minute where its client shows no progress, else for ever',
  },
  name: { type: 'string', value: 'NAME', means: "what people read as the server's name" },
} as const;

export const MORE = `Everything but tool calls passes as it is. The hub is BECKON_URL with BECKON_KEY; without a key it is the hub's own
machine that asks. While no hub replies, what would be asked is refused. The exit code is the server's own.`;

/** Reads what `beckon gate` was given; throws `UsageError` with one sentence. */
export function readWrapping({ values, order, rest: [command = '', ...rest] }: Given<typeof OPTIONS>): Wrapping {
  if (command === '') throw new UsageError('The command behind "--" is empty. See "beckon gate --help".');
  const policy = readPolicy({ values, order });
  const faults = ofSources(policy.rules);
  if (faults.length > 0) throw new UsageError(sentence(faults, values));
  const wait = values.wait === undefined ? {} : { waitSeconds: readSeconds(values.wait) };
  return { gate: { ...policy, ...wait, name: values.name ?? guessName(command, rest) }, command, args: rest };
}

/** What becomes of calls, by the options that every gate has and its file; throws `UsageError`. */
export function readPolicy({ values, order }: Pick<Given<typeof POLICY>, 'values' | 'order'>): Policy {
  const config: Record<string, unknown> = values.config === undefined ? {} : readConfig(values.config);
  const rules = Array.isArray(config['rules']) ? (config['rules'] as unknown[]) : [];
  const to = list(values.to);
  const parsed = Rules.safeParse({
    ...config,
    rules: [...readRules(order), ...rules],
    ...(values.otherwise === undefined ? {} : { otherwise: values.otherwise }),
    ...(to ? { to } : {}),
    ...(values.deadline === undefined ? {} : { deadline: Number(values.deadline) }),
    ...(values['valid-for'] === undefined ? {} : { validFor: Number(values['valid-for']) }),
    ...(values.approvals === undefined ? {} : { approvals: { count: Number(values.approvals) } }),
    ...(values.elicit === undefined ? {} : { elicitation: values.elicit }),
    ...(values.receipt === undefined ? {} : { receipt: values.receipt }),
  });
  if (!parsed.success) throw new UsageError(sentence(toFaults(parsed.error), values));
  const faults = unreadCommands(parsed.data.rules);
  if (faults.length > 0) throw new UsageError(sentence(faults, values));
  return parsed.data;
}

// Which source asks is the key's, and only the hub knows it.
function ofSources(rules: WrappedGate['rules']): { path: string; message: string }[] {
  return rules.flatMap(({ when }, at) =>
    when?.source === undefined ? [] : [{ path: `/rules/${at}/when/source`, message: 'is for gates of the hub only' }],
  );
}

function readSeconds(wait: string): number {
  const seconds = toSeconds(wait);
  if (typeof seconds === 'number' && seconds <= 30 * 86_400) return seconds;
  throw new UsageError('--wait takes seconds, at most 2592000 (30 days); 0 waits for ever.');
}

// In the order given, whichever option they came by.
function readRules(order: Given['order']): { tool: string; does: string }[] {
  return order.flatMap(([does, tool]) => (/^(ask|allow|deny)$/.test(does) ? [{ tool, does }] : []));
}

function readConfig(file: string): Record<string, unknown> {
  let words: string;
  try {
    words = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  try {
    const config = parseWritten(words);
    if (typeof config === 'object' && config !== null && !Array.isArray(config))
      return config as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`The file ${file} is not JSON: ${(error as Error).message}.`);
  }
  throw new UsageError(`The file ${file} is not one gate's rules: {"rules": [{"tool": "…", "does": "ask"}]}.`);
}

/** Names the option that a fault came by, or the file. */
function sentence([first]: Pick<Fault, 'path' | 'message'>[], values: Given<typeof POLICY>['values']): string {
  const path = (first?.path ?? '').slice(1);
  const member = path.split('/')[0] === 'elicitation' ? 'elicit' : (path.split('/')[0] ?? '');
  const given = member !== 'rules' && member in values;
  const where = values.config === undefined ? '' : ` (${member === 'rules' ? 'options and ' : ''}${values.config})`;
  const fault = given ? `--${member} ${first?.message}` : `${path || 'The rules'} ${first?.message}${where}`;
  return `${fault}. See "beckon gate --help".`;
}

// "npx -y @scope/server-files /home" is called after its package, not after npx.
function guessName(command: string, args: string[]): string {
  const own = basename(command).replace(/\.(exe|cmd)$/i, '');
  const runner = /^(npx|bunx|uvx|uv|node|bun|deno|python[\d.]*|pipx)$/.test(own);
  const wrapped = runner ? args.find((arg) => !arg.startsWith('-') && !/^(run|x|exec)$/.test(arg)) : undefined;
  return wrapped === undefined ? own : basename(wrapped).replace(/@[\w.^~-]+$|\.\w+$/, '') || own;
}
