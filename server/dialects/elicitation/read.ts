import { z } from 'zod';
import { parseOrRefuse } from '#shared/faults.ts';
import { JsonObject } from '#shared/schemas/values.ts';
import type { Part, Read } from '../dialect.ts';

/** The id of the one question that a form elicitation becomes. */
export const FORM = 'form';

const Mode = z.looseObject({ mode: z.enum(['form', 'url']).default('form') });
const Form = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({
    type: z.literal('object'),
    properties: JsonObject.optional(),
  }),
});
const Url = z.looseObject({ message: z.string(), url: z.string() });
const Id = z.looseObject({ elicitationId: z.string().optional().catch(undefined) });

/** The params of MCP's `elicitation/create`, revisions 2025-06-18 to 2026-07-28. */
export function read(body: unknown): Read {
  return { asks: [partOf(body)], ids: Id.parse(body).elicitationId ?? null, keep: null };
}

/** Its schema verbatim as one form, or its address as one link. Throws 422 where it is neither. */
export function partOf(params: unknown): Part {
  return parseOrRefuse(Mode, params).mode === 'form' ? form(params) : link(params);
}

function form(params: unknown): Part {
  const { message, requestedSchema } = parseOrRefuse(Form, params);
  const prompt = message.trim() === '' ? 'Please fill this in.' : message;
  return {
    ask: { questions: [{ id: FORM, type: 'form', prompt, schema: requestedSchema }] },
    places: [
      ['/questions/0/schema', '/requestedSchema'],
      ['/questions/0/prompt', '/message'],
    ],
  };
}

function link(params: unknown): Part {
  const { message, url } = parseOrRefuse(Url, params);
  return {
    ask: { ...(message.trim() === '' ? {} : { prompt: message }), link: { url, completes: 'self' } },
    places: [
      ['/link/url', '/url'],
      ['/prompt', '/message'],
    ],
  };
}
