import type { Http } from './server.ts';
import { z } from 'zod';
import { toFaults, invalid, parseOrRefuse } from '#shared/faults.ts';

/**
 * Makes the calls of `/v1` refuse query parameters that they do not know; what a platform adds to the address of its
 * connection is not the hub's.
 */
export function refuseUnknownQueries(app: Http): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/') || route.config?.access === 'connection') return;
    const known = (route.schema?.querystring ?? z.object({})) as z.ZodObject;
    route.schema = { ...route.schema, querystring: known.strict() };
  });
}

/** How Fastify is to read a part of a request with its schema: 422 with every fault. */
export function compileParser({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  const parse = httpPart === 'querystring' ? parseQuery : parseOrRefuse;
  return (data: unknown) => ({ value: parse(schema as z.ZodObject, data) });
}

/** The query as its schema reads it, or 422 with every fault; an unknown parameter is told those that there are. */
function parseQuery(schema: z.ZodObject, query: unknown): unknown {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const names = Object.keys(schema.shape);
  const known = names.length > 0 ? `it takes ${names.join(', ')}` : 'it takes none';
  const faults = toFaults(parsed.error).map((one) =>
    one.code === 'field.unknown' ? { ...one, message: `is no query parameter of this call: ${known}` } : one,
  );
  throw invalid(faults);
}
