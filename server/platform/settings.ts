import { isIP } from 'node:net';
import { z } from 'zod';

type Setting = { name: string; default?: string; meaning: string };

/** Every setting the hub reads from its environment, as `beckon serve --help` prints them. */
export const SETTINGS = [
  { name: 'PORT', default: '4275', meaning: 'the port to listen on ("4ASK" on a phone’s keys); 0 takes a free one' },
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'the address to listen on; 0.0.0.0 for every network of this machine',
  },
  {
    name: 'PUBLIC_URL',
    meaning: 'the address people open, e.g. https://beckon.example.com; default: http://localhost:PORT',
  },
  { name: 'DATA_DIR', default: './data', meaning: 'the folder for the embedded database, the sealing key and backups' },
  { name: 'DATABASE_URL', meaning: 'postgres://… for several nodes; absent: SQLite in DATA_DIR' },
  { name: 'REDIS_URL', meaning: 'redis://… between several nodes; absent: this is the only node' },
  { name: 'NODE_URL', meaning: 'where other nodes reach this one, e.g. http://10.0.0.5:4275; needed beside REDIS_URL' },
  {
    name: 'SEALING_KEY',
    meaning: '32 bytes in base64 that seal secret answers; nodes share it; default: made once in DATA_DIR',
  },
  {
    name: 'TRUSTED_ISSUERS',
    meaning: 'JSON list of {"issuer","audience","jwksUrl","handleClaim"?} whose JWTs let a device in',
  },
  {
    name: 'VAPID_SUBJECT',
    meaning: 'mailto: or https: address where push services may reach you; default: PUBLIC_URL when it is https',
  },
  {
    name: 'PUSH_HOSTS',
    meaning: 'comma list of push services of your own: host, host:port or http://host:port; they may be private',
  },
  {
    name: 'GATES_FILE',
    meaning: 'a JSON file of gates before MCP servers over HTTP; absent: none of them',
  },
  {
    name: 'TRUST_PROXY',
    default: '0',
    meaning: 'how many reverse proxies stand before the hub, or a comma list of their addresses, e.g. 10.0.0.0/8',
  },
  { name: 'RETAIN_DAYS', default: '90', meaning: 'days an answered inquiry is kept' },
  { name: 'RATE_LIMIT', default: '60000', meaning: 'requests a minute for each credential, on each node' },
  { name: 'OPEN_LIMIT', default: '10000', meaning: 'open inquiries for each source' },
  {
    name: 'METRICS_TOKEN',
    meaning: 'bearer token for /metrics from elsewhere than this machine; absent: loopback only',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'trace, debug, info, warn, error or silent' },
] as const satisfies Setting[];

const url = (protocol: RegExp, example: string) => z.url({ protocol, error: `must look like ${example}` });
const count = (max: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(max, `must be at most ${max}`);

const Issuers = z.array(
  z.strictObject({
    issuer: z.string().min(1),
    audience: z.string().min(1),
    jwksUrl: z.url(),
    handleClaim: z.string().optional(),
  }),
);
export type TrustedIssuer = z.infer<typeof Issuers>[number];

const Environment = z.object({
  PORT: count(65_535),
  HOST: z.string().min(1),
  PUBLIC_URL: url(/^https?$/, 'https://beckon.example.com').optional(),
  DATA_DIR: z.string().min(1),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/beckon').optional(),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379').optional(),
  NODE_URL: url(/^https?$/, 'http://10.0.0.5:4275').optional(),
  SEALING_KEY: z
    .base64('must be base64')
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
    .optional(),
  TRUSTED_ISSUERS: z.string().transform(parseIssuers).optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:.+@.+|https:\/\/.+)$/, 'must start with mailto: or https://')
    .regex(/^(?!.*[@/]localhost)/, 'must not be on localhost: push services refuse it')
    .optional(),
  PUSH_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .pipe(
      z.array(z.string().regex(/^(http:\/\/)?[^\s/@:]+(:\d{1,5})?$/, 'must be host, host:port or http://host:port')),
    )
    .default([]),
  GATES_FILE: z.string().optional(),
  TRUST_PROXY: z.string().transform(parseProxies),
  RETAIN_DAYS: count(36_500),
  RATE_LIMIT: count(10_000_000),
  OPEN_LIMIT: count(10_000_000),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    error: 'must be trace, debug, info, warn, error or silent',
  }),
});
export type Settings = z.infer<typeof Environment>;

const Whole = Environment.refine(({ REDIS_URL, NODE_URL }) => REDIS_URL === undefined || NODE_URL !== undefined, {
  path: ['NODE_URL'],
  error: 'must be set beside REDIS_URL, to where the other nodes reach this one, e.g. http://10.0.0.5:4275',
});

/** What is wrong with the environment, in one sentence for the operator. */
export class SettingsError extends Error {}

/** Reads the settings or throws `SettingsError`; an empty variable counts as absent. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    SETTINGS.map((setting: Setting) => [setting.name, env[setting.name] || setting.default]).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const parsed = Whole.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingsError(`The setting ${issue?.path.join('.')} ${issue?.message}; see "beckon serve --help".`);
}

function parseIssuers(text: string, context: z.RefinementCtx): TrustedIssuer[] {
  try {
    return Issuers.parse(JSON.parse(text));
  } catch {
    context.addIssue('must be a JSON list of {"issuer","audience","jwksUrl"}');
    return z.NEVER;
  }
}

// Never "all of them": who believes the first entry of X-Forwarded-For believes what the client itself wrote there.
function parseProxies(text: string, context: z.RefinementCtx): number | string[] {
  if (/^\d$/.test(text)) return Number(text);
  const proxies = text.split(',').map((entry) => entry.trim());
  if (proxies.every(isNetwork)) return proxies;
  context.addIssue(
    'must be how many proxies stand before the hub (1 for one Caddy or nginx), or a comma list of their addresses or networks',
  );
  return z.NEVER;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    longest > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
  );
}
