import ipaddr from 'ipaddr.js';
import { readFileSync } from 'node:fs';
import { isIP, type AddressInfo } from 'node:net';
import { z } from 'zod';
import { parseExact } from '#shared/json.ts';
import { splitServers } from './database-hosts.ts';

/** The version of this hub, as package.json has it. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const url = (protocol: RegExp, example: string) => z.url({ protocol, error: `must look like ${example}` });
const POSTGRES = 'postgres://user:password@host:5432/beckon';
const postgres = url(/^postgres(ql)?$/, POSTGRES);
/** Where a hub is reached: its page and its calls stand at fixed paths, so a path of its own would serve half of them. */
const origin = (example: string) =>
  url(/^https?$/, example).refine(
    (text) => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`,
    `must be a protocol, a host and perhaps a port, with nothing behind them, e.g. ${example}`,
  );
const count = (max: number, min = 0) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be ${min} or more`)
    .max(max, `must be at most ${max}`);

const hosts = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.string().regex(/^(http:\/\/)?[^\s/@:]+(:\d{1,5})?$/, 'must be host, host:port or http://host:port')))
  .default([]);

const Issuers = z.array(
  z.strictObject({
    issuer: z.string().min(1),
    audience: z.string().min(1),
    jwksUrl: z.url({ protocol: /^https?$/ }),
    subjectClaim: z.string().prefault('sub'),
  }),
);
export type TrustedIssuer = z.infer<typeof Issuers>[number];

const Environment = z.object({
  PORT: count(65_535).prefault('4275').describe('the port to listen on ("4ASK" on a phone’s keys); 0 takes a free one'),
  HOST: z
    .string()
    .prefault('127.0.0.1')
    .describe('the address to listen on; 0.0.0.0 for every network of this machine'),
  PUBLIC_URL: origin('https://beckon.example.com')
    .optional()
    .describe('the address people open, e.g. https://beckon.example.com; default: http://localhost:PORT'),
  DATA_DIR: z.string().prefault('./data').describe('the folder for the embedded database, the sealing key and backups'),
  DATABASE_URL: z
    .string()
    .refine((text) => splitServers(text).every((one) => postgres.safeParse(one).success), `must look like ${POSTGRES}`)
    .optional()
    .describe(
      'postgres://… for several nodes; of several hosts, with commas between them, the one that takes writes is used; absent: SQLite in DATA_DIR',
    ),
  POSTGRES_CONNECTIONS: count(1_000, 4)
    .prefault('16')
    .describe('connections of each node to Postgres, 4 or more; a third of them only read'),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379')
    .optional()
    .describe('redis://… between several nodes; absent: this is the only node'),
  NODE_URL: origin('http://10.0.0.5:4275')
    .optional()
    .describe('where other nodes reach this one, e.g. http://10.0.0.5:4275; needed beside REDIS_URL'),
  SEALING_KEY: z
    .base64('must be base64')
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
    .optional()
    .describe('32 bytes in base64 that seal secret answers; nodes share it; default: made once in DATA_DIR'),
  TRUSTED_ISSUERS: z
    .string()
    .transform(parseIssuers)
    .optional()
    .describe(
      'JSON list of {"issuer","audience","jwksUrl","subjectClaim"?} whose JWTs sign in whom "beckon person tie" names',
    ),
  KEYCLOAK_ISSUERS: z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim().replace(/\/+$/, '')))
    .pipe(
      z.array(
        url(/^https?$/, 'https://id.example/realms/main').regex(/^[^?#@\s]*$/, 'must hold no query, user or fragment'),
      ),
    )
    .default([])
    .describe('comma list of Keycloak realms, e.g. https://id.example/realms/main, whose sign-ins people confirm here'),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:.+@.+|https:\/\/.+)$/, 'must start with mailto: or https://')
    .regex(/^(?!.*[@/]localhost)/, 'must not be on localhost: push services refuse it')
    .optional()
    .describe('mailto: or https: address where push services may reach you; default: PUBLIC_URL when it is https'),
  PUSH_HOSTS: hosts.describe(
    'comma list of push services of your own: host, host:port or http://host:port; they may be private',
  ),
  EVENT_HOSTS: hosts.describe(
    'comma list of hosts where clients of MCP may want events, as with PUSH_HOSTS; all others are public and https',
  ),
  PUSH_CONNECTIONS: count(1_000, 1).prefault('64').describe('devices that each node sends pushes to at once'),
  WEBHOOK_CONNECTIONS: count(1_000, 1).prefault('128').describe('webhooks that each node sends at once'),
  GATES_FILE: z.string().optional().describe('a JSON file of gates before MCP servers over HTTP; absent: none of them'),
  TRUST_PROXY: z
    .string()
    .transform(parseProxies)
    .prefault('0')
    .describe('how many reverse proxies stand before the hub, or a comma list of their addresses, e.g. 10.0.0.0/8'),
  RETAIN_DAYS: count(36_500, 1)
    .prefault('90')
    .describe('days an answered inquiry is kept; a lower value than before needs --shrink-history once'),
  AUDIT_DAYS: count(36_500, 1)
    .prefault('3650')
    .describe('days an entry of the sealed log is kept, at least as long as what it names'),
  RATE_LIMIT: count(10_000_000, 1)
    .prefault('60000')
    .describe('requests a minute for each source and device, on each node; a quarter for each address without them'),
  WAIT_LIMIT: count(1_000_000, 1)
    .prefault('2000')
    .describe('calls of each credential that wait on each node; one that brings much counts for each 16 KiB'),
  STREAM_LIMIT: count(1_000_000, 1).prefault('500').describe('streams of each credential that are open on each node'),
  SOCKET_LIMIT: count(1_000, 1).prefault('20').describe('pages of each device that are connected to each node'),
  OPEN_LIMIT: count(10_000_000, 1).prefault('10000').describe('open inquiries for each source'),
  OPEN_BYTES_LIMIT: count(1_000_000_000_000, 1_048_576)
    .prefault('67108864')
    .describe('bytes of all open inquiries of each source'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('bearer token for /metrics from elsewhere than this machine; absent: loopback only'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .describe('where spans go over OTLP/HTTP, e.g. http://localhost:4318; its packages are installed beside the hub'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be trace, debug, info, warn, error or silent',
    })
    .prefault('info')
    .describe('trace, debug, info, warn, error or silent'),
});
export type Settings = z.infer<typeof Environment>;

/** Every setting the hub reads from its environment, as `beckon serve --help` prints them. */
export const SETTINGS = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  meaning: schema.description ?? '',
  ...(schema instanceof z.ZodPrefault ? { default: String(schema.def.defaultValue) } : {}),
}));

const Whole = Environment.refine(
  ({ REDIS_URL, DATABASE_URL }) => REDIS_URL === undefined || DATABASE_URL !== undefined,
  {
    path: ['DATABASE_URL'],
    error: 'must be set beside REDIS_URL: several nodes share one Postgres, and one node needs no Redis',
  },
);
/** Of a hub that others have to reach. */
const Node = Whole.refine(({ REDIS_URL, NODE_URL }) => REDIS_URL === undefined || NODE_URL !== undefined, {
  path: ['NODE_URL'],
  error: 'must be set beside REDIS_URL, to where the other nodes reach this one, e.g. http://10.0.0.5:4275',
});

/** What is wrong with the environment, in one sentence for the operator. */
export class SettingsError extends Error {}

/**
 * Reads the settings or throws `SettingsError`; an empty or blank variable counts as absent. Those of a hub that serves have
 * to say where other nodes reach it; a command beside it does not.
 */
export function readSettings(env: Record<string, string | undefined>, { serves = false } = {}): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
  const parsed = (serves ? Node : Whole).safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingsError(`The setting ${issue?.path.join('.')} ${issue?.message}; see "beckon serve --help".`);
}

/** Which database to open. */
export function toDatabaseOptions(settings: Settings) {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, POSTGRES_CONNECTIONS: connections } = settings;
  return { dataDir, databaseUrl, connections };
}

/** Where people and other nodes reach this hub; `bound` is what it listens on, null until then. */
export function createAddresses({ PUBLIC_URL, NODE_URL, PORT }: Settings, bound: () => AddressInfo | string | null) {
  const port = (): number => (bound() as AddressInfo | null)?.port ?? PORT;
  const publicUrl = (): string => PUBLIC_URL?.replace(/\/+$/, '') ?? `http://localhost:${port()}`;
  // Also beside PUBLIC_URL: whoever set it was signed in at localhost, and lets the new address in from there.
  const near = (): string[] => ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port()}`);
  return {
    publicUrl,
    urls: () => [publicUrl(), NODE_URL],
    origins: (): string[] => [...new Set([new URL(publicUrl()).origin, ...near()])],
  };
}

function parseIssuers(text: string, context: z.RefinementCtx): TrustedIssuer[] {
  try {
    const issuers = Issuers.parse(parseExact(text));
    // A subject is one account of its issuer, whichever audience a JWT is for.
    const claims = Map.groupBy(issuers, ({ issuer }) => issuer);
    for (const [issuer, of] of claims)
      if (new Set(of.map(({ subjectClaim }) => subjectClaim)).size > 1)
        context.addIssue(`must have one "subjectClaim" for all entries of ${issuer}`);
    return issuers;
  } catch {
    context.addIssue('must be a JSON list of {"issuer","audience","jwksUrl","subjectClaim"?}');
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
  return isIP(text) !== 0 || (isIP(text.split('/', 1)[0] ?? '') !== 0 && ipaddr.isValidCIDR(text));
}
