import type { HistoryFilter } from '#shared/history.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { call, type Refusal, type Reply } from './api.ts';
import { session } from './session.ts';

export type HistoryPage = { items: Inquiry[]; nextCursor?: string };

/** The hub looks through so much at once that a page may be empty; so many empty ones are passed over. */
const EMPTY_PAGES = 20;

/** One page of what was resolved and fits the filter, newest first. */
export async function history(
  filter: HistoryFilter = {},
  cursor?: string,
): Promise<HistoryPage | { problem: Problem }> {
  let from = cursor;
  for (let page = 0; ; page++) {
    const query = toQuery({ ...filter, ...(from === undefined ? {} : { cursor: from }) });
    const reply: Reply<HistoryPage> | Refusal = await call('GET', `/v1/history${query}`);
    if (reply.problem) return { problem: reply.problem };
    from = reply.ok.nextCursor;
    if (reply.ok.items.length > 0 || from === undefined || page === EMPTY_PAGES) return reply.ok;
  }
}

/** The history that fits the filter as one file; undefined when the hub did not give it. */
export async function historyFile(filter: HistoryFilter, format: 'csv' | 'json'): Promise<Blob | undefined> {
  const { value } = session;
  if (value.state !== 'in') return undefined;
  try {
    const response = await fetch(`/v1/history/export${toQuery({ ...filter, format })}`, {
      headers: { authorization: `Bearer ${value.token}` },
      credentials: 'omit',
      cache: 'no-store',
    });
    return response.ok ? await response.blob() : undefined;
  } catch {
    return undefined;
  }
}

function toQuery(members: Record<string, string | undefined>): string {
  const given = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
