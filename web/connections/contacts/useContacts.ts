import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import type { Contact } from '#shared/connections/contact.ts';
import type { Problem } from '#shared/problem.ts';
import { call } from '../../live/api.ts';

type Page = { items: Contact[]; nextCursor?: string };

/** The last contacts of a connection, newest first; read again with the connection, earlier pages on request. */
export function useContacts(connection: Connection) {
  const [items, setItems] = useState<Contact[] | undefined>();
  const [cursor, setCursor] = useState<string | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const readings = useRef(0);
  const read = async (from?: string) => {
    const reading = ++readings.current;
    const query = from === undefined ? '' : `?cursor=${from}`;
    const { ok, problem: refused } = await call<Page>('GET', `/v1/connections/${connection.id}/contacts${query}`);
    // One that was begun later knows more.
    if (reading !== readings.current) return;
    setProblem(refused);
    if (!ok) return;
    const last = ok.items.at(-1)?.id ?? '';
    const others = items ?? [];
    setItems(from === undefined ? [...ok.items, ...others.filter(({ id }) => id < last)] : [...others, ...ok.items]);
    if (from !== undefined || items === undefined) setCursor(ok.nextCursor);
  };
  useEffect(() => void read(), [connection]);
  return { items, problem, again: () => void read(), earlier: cursor && (() => void read(cursor)) };
}
