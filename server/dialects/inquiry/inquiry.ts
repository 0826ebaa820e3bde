import { Ask } from '#shared/inquiry.ts';
import { createChecks } from '../body.ts';
import type { Answered, Dialect, Query, Read } from '../dialect.ts';

/** The hub's own form, for the verbs of the client: an ask as `POST /v1/inquiries` takes it, replied to with its resolution. */
export const inquiry: Dialect = { name: 'inquiry', label: 'Beckon', read, write };

const ASKED = ['prompt', 'questions', 'document', 'actions', 'link'] as const;

/** An ask. Its key is the header `Idempotency-Key`, as in any dialect. */
function read(body: unknown, _query: Query): Read {
  const checks = createChecks();
  const ask = checks.read(Ask, body, '');
  if (ask && ASKED.every((name) => ask[name] === undefined))
    checks.refuse('', 'inquiry.empty', 'asks nothing: give a prompt, questions, a document, actions or a link');
  if (ask?.key !== undefined)
    checks.refuse('/key', 'inquiry.key', 'must not stand here: send it as the header Idempotency-Key');
  checks.end();
  return { asks: [{ ask: ask ?? {}, places: [] }], ids: null, keep: null };
}

/** The resolution, whatever it is: only "answered" holds an answer. */
function write(_keep: unknown, [inquiry]: Answered[]): unknown {
  return inquiry?.resolution;
}
