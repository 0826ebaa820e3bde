import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { parseOrRefuse } from '#shared/faults.ts';
import { parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';

/** What came: an ask or a withdraw, where it stands in the body, and what a redelivery of it has in common with it. */
type Message = { data: unknown; at: '' | '/data'; key?: string };

const attributes = {
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  // Without white space, which parts it from the id.
  source: z.string().regex(/^\S+$/, 'is not a URI reference'),
  type: z.string().min(1),
};
const CloudEvent = z.object({
  ...attributes,
  data: z.unknown().optional(),
  data_base64: z
    .unknown()
    .refine((value) => value === undefined, 'is not read here: send "data" as JSON')
    .optional(),
});

/** Reads a body as it stands, or a CloudEvent of version 1.0 in structured or binary mode. Throws what is wrong with it. */
export function readMessage(headers: IncomingHttpHeaders, body: Buffer): Message {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const enveloped = type === 'application/cloudevents+json';
  if (!enveloped && !/^application\/((?!cloudevents)[\w.-]+\+)?json$/.test(type)) {
    const detail = 'Send the body as application/json, or one CloudEvent as application/cloudevents+json.';
    throw new AppError(415, 'request.unsupported_media', detail);
  }
  const value = body.length === 0 ? {} : parseExact(body.toString());
  if (enveloped || (typeof value === 'object' && value !== null && 'specversion' in value)) {
    const { data, ...event } = parseOrRefuse(CloudEvent, value);
    return { data, at: '/data', key: joinKey(event) };
  }
  if (headers['ce-specversion'] === undefined) return { data: value, at: '' };
  const event = Object.keys(attributes).map((name) => [name, decoded(headers[`ce-${name}`])]);
  return { data: value, at: '', key: joinKey(parseOrRefuse(z.object(attributes), Object.fromEntries(event))) };
}

/** The two together name an event (CloudEvents 1.0, 3.1). */
function joinKey({ source, id }: { source: string; id: string }): string {
  return `${source} ${id}`;
}

function decoded(header: string | string[] | undefined): string | undefined {
  try {
    return header === undefined ? undefined : decodeURIComponent(String(header));
  } catch {
    return String(header);
  }
}
