import type { RouteOptions } from 'fastify';
import { PROBLEMS, type ProblemCode } from '#shared/reference/problems.ts';

type Schema = Record<string, unknown> & { description?: string; response?: Record<string, Schema> };

const CREDENTIAL = ['credential.missing', 'credential.unknown'] as const;
const DEVICE = ['credential.expired', 'credential.revoked'] as const;
const ALWAYS = [
  'credential.in_url',
  'request.invalid',
  'request.too_many',
  'internal',
  'database.unavailable',
  'database.too_slow',
] as const;
const WRITES = ['origin.refused', 'database.busy'] as const;
const BODY = ['request.malformed', 'request.too_large', 'request.too_much', 'request.unsupported_media'] as const;

/** What the document says of a route: who may call it and every problem that it can answer; what is no public call is hidden. */
export function describeOperation(
  { config, method, url: path }: RouteOptions,
  { url, schema = {} }: { url: string; schema?: Schema },
) {
  const access = config?.access ?? 'public';
  const hidden = !path.startsWith('/v1/') || access === 'connection' || method === 'HEAD';
  if (hidden) return { url, schema: { ...schema, hide: true } };
  const anonymous = access === 'public';
  const problems: ProblemCode[] = [
    ...ALWAYS,
    ...(anonymous ? [] : CREDENTIAL),
    ...(anonymous || access === 'source' ? [] : DEVICE),
    ...(anonymous || access === 'any' ? [] : (['credential.wrong_kind'] as const)),
    ...(access === 'owner' ? (['person.not_owner'] as const) : []),
    ...(method === 'GET' ? [] : WRITES),
    ...(schema['body'] === undefined ? [] : BODY),
    ...(config?.problems ?? []),
  ];
  const headers = Object.entries(config?.headers ?? {}).map(([name, description]) => [
    name,
    { type: 'string', description },
  ]);
  return {
    url,
    schema: {
      ...schema,
      hide: false,
      security: describeSecurity(access),
      ...(headers.length > 0 ? { headers: { type: 'object', properties: Object.fromEntries(headers) } } : {}),
      'x-problems': [...new Set(problems)],
    },
  };
}

/** These codes under the statuses they come with. */
export function byStatus(codes: readonly ProblemCode[]): [status: string, texts: Record<string, string>][] {
  return Object.entries(PROBLEMS).flatMap(([status, all]) => {
    const own = Object.entries(all).filter(([code]) => codes.includes(code as ProblemCode));
    return own.length > 0 ? [[status, Object.fromEntries(own)] as [string, Record<string, string>]] : [];
  });
}

function describeSecurity(access: string): Record<string, string[]>[] {
  if (access === 'source') return [{ source: [] }];
  if (access === 'device' || access === 'owner') return [{ device: [] }];
  return access === 'any' ? [{ source: [] }, { device: [] }] : [];
}
