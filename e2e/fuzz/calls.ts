import type { OutgoingHttpHeaders } from 'node:http';
import type { Chance } from '../hub/chance.ts';
import { must } from '../hub/call.ts';
import { BODIES } from './bodies.ts';
import { brokenBody, nastyJson, spoil, TEXTS } from './nasty.ts';
import type { Sent } from './send.ts';

/** A call of the hub as /docs/json tells of it. */
export type Route = {
  name: string;
  method: string;
  path: string;
  takesBody: boolean;
  /** Its query parameters, each with values that it takes as far as the document lists them. */
  query: { name: string; takes: readonly string[] }[];
  security: ('source' | 'device')[];
};

type OpenApi = { paths: Record<string, Record<string, Described>> };
type Described = {
  requestBody?: unknown;
  parameters?: { in: string; name: string; schema: { type?: string; enum?: string[] } }[];
  security?: Record<string, unknown>[];
};

/** Every call that /docs/json lists. */
export async function readRoutes(hub: { url: string }): Promise<Route[]> {
  const { paths } = await must<OpenApi>(hub, 'GET /docs/json');
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([verb, { requestBody, parameters = [], security = [] }]) => {
      const method = verb.toUpperCase();
      return {
        name: `${method} ${path}`,
        method,
        path,
        takesBody: requestBody !== undefined,
        query: parameters.flatMap(({ in: place, name, schema }) =>
          place === 'query'
            ? { name, takes: schema.enum ?? (/^(integer|number)$/.test(schema.type ?? '') ? ['1', '30'] : []) }
            : [],
        ),
        security: security.flatMap((one) => Object.keys(one) as Route['security']),
      };
    }),
  );
}

export type Pools = { tokens: { source: string[]; device: string[] }; ids: string[] };

const STRANGE_TOKENS = [
  '',
  'bks_',
  'bkd_x',
  `bkd_${'x'.repeat(43)}`,
  `bks_${'A'.repeat(9_000)}`,
  '__proto__',
  'null',
  'a b',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/problem+json',
  'a',
  '',
];
const TRICKS: OutgoingHttpHeaders[] = [
  { 'content-encoding': 'gzip' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '__proto__, 1.2.3.4' },
  { host: 'evil.example' },
  { host: '' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { 'accept-encoding': 'x'.repeat(8_000), accept: 'text/html' },
  { cookie: 'token=x', 'user-agent': '\u0085\u00ff'.repeat(300) },
  { expect: '100-continue' },
  { upgrade: 'h2c', connection: 'upgrade' },
  { 'if-none-match': '*', range: 'bytes=0-' },
];
const STEPS = [
  '%00',
  '%ff',
  '%',
  '%zz',
  '%c0%80',
  '%ed%a0%80',
  '..',
  '%2e%2e%2f',
  '.',
  '',
  'x'.repeat(201),
  'x'.repeat(8_000),
  'me',
  ':id',
  '*',
  '%F0%9F%99%88',
  'inq_%00aaaaaaaaaaaaaaaaaaaaaaaaa',
];
const QUERIES = [
  '',
  '?',
  '?limit=1e999',
  '?limit=-0',
  '?limit=101',
  '?limit=9007199254740993',
  '?limit=1&limit=2',
  '?cursor=%00',
  '?cursor=%ff',
  '?cursor[a]=1',
  '?__proto__=1&constructor=2',
  '?state=toString',
  '?unread=maybe',
  '?%',
  `?${'a'.repeat(8_000)}`,
  '?limit=0x10',
  '?limit=%20',
  '?cursor=~',
];
/** Values for a call's own query. */
const VALUES = [
  '',
  '0',
  '-0',
  '-5',
  '101',
  '1.5',
  '1e999',
  '0x10',
  'NaN',
  '9007199254740993',
  '%20',
  '~',
  '%00',
  '%ff',
  '%',
  '%F0%9F%99%88',
  '__proto__',
  'toString',
  'me',
  'a,b',
  '2026-01-31T12:00:00Z',
  '2026-02-30',
  'x'.repeat(201),
];
const DIALECTS = ['langgraph', 'claude-hook', 'gemini-hook', 'elicitation', 'ai-sdk', 'openai', 'ag-ui'];
const ASK_QUERIES = ['', '', '', '&to=owner', '&deadline=1e999', '&to=%00', '&language=%ff', '&callback=x', '&title='];
const WAITS = ['-5', 'abc', '1e999', 'NaN', '', '0x1', '1e-320', '0.01', '%00', '__proto__'];

/** One call of this route that is wrong in some way, or in none. */
export function fuzzCall(route: Route, pools: Pools, chance: Chance): Sent {
  const { tokens, ids } = pools;
  const method = chance.below(12) === 0 ? chance.of(METHODS) : route.method;
  // What is there may be changed but not removed: the rest of the run needs it.
  const step = () =>
    method !== 'DELETE' && chance.below(2)
      ? chance.of(ids)
      : chance.below(3)
        ? chance.of(STEPS)
        : encodeURIComponent(chance.of(TEXTS).slice(0, 300).toWellFormed());
  const dialect = () => (chance.below(8) ? chance.of(DIALECTS) : step());
  const path = route.path.replace('{dialect}', dialect).replace(/\{\w+\}/g, step) + queryOf(route, pools, chance);
  const kind = chance.below(10) ? chance.of(route.security) : chance.of(['source', 'device'] as const);
  const token = chance.below(10) ? chance.of(tokens[kind ?? 'device']) : chance.of(STRANGE_TOKENS);
  const anonymous = kind === undefined ? chance.below(2) === 0 : chance.below(20) === 0;
  const body = bodyOf(route, method, chance);
  return {
    method,
    path,
    body,
    headers: {
      ...(anonymous
        ? {}
        : {
            authorization: `${chance.below(20) ? 'Bearer' : chance.of(['bearer ', 'Basic', '', 'Bearer Bearer'])} ${token}`,
          }),
      ...(body
        ? { 'content-type': chance.below(15) ? 'application/json' : chance.of(TYPES), 'content-length': body.length }
        : {}),
      ...(chance.below(8) ? {} : chance.of(TRICKS)),
    },
  };
}

function queryOf({ method, path, query }: Route, { ids }: Pools, chance: Chance): string {
  // What waits for people would hold up the run.
  if (path === '/v1/ask/{dialect}') return `?wait=0${chance.of(ASK_QUERIES)}`;
  if (chance.below(3)) return '';
  if (path === '/v1/inquiries' && method === 'POST') return `?wait=${chance.of(WAITS)}`;
  if (path === '/v1/inquiries/{id}') return `?wait=${chance.of([...WAITS, '120', '9007199254740993'])}`;
  // A name that the call does not know ends it before anything else is read.
  if (chance.below(5) === 0) return chance.of(QUERIES);
  const own = query.filter(() => chance.below(query.length) < 2);
  const value = (takes: readonly string[]) =>
    chance.of(chance.below(3) === 0 ? VALUES : takes.length > 0 ? takes : ids);
  return own.length > 0 ? `?${own.map(({ name, takes }) => `${name}=${value(takes)}`).join('&')}` : '';
}

function bodyOf({ name, takesBody }: Route, method: string, chance: Chance): Buffer | undefined {
  if (method === 'GET' || method === 'HEAD') return chance.below(20) ? undefined : Buffer.from('{}');
  if (!takesBody && chance.below(2)) return undefined;
  const templates = BODIES[name] ?? [{}];
  switch (chance.below(10)) {
    case 0:
      return brokenBody(chance);
    case 1:
      return Buffer.from(nastyJson(chance));
    case 2:
      return Buffer.from(JSON.stringify(chance.of(templates)));
    default:
      return Buffer.from(spoil(chance.of(templates), chance));
  }
}
