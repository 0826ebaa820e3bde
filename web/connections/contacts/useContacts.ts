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
    const reading = from === undefined ? ++readings.current : 0;
    const query = from === undefined ? '' : `?cursor=${from}`;
    const { ok, problem: refused } = await call<Page>('GET', `/v1/connections/${connection.id}/contacts${query}`);
    // One of the newest that was begun later knows more.
    if (from === undefined && reading !== readings.current) return;
    setProblem(refused);
    if (!ok) return;
    if (from !== undefined || items === undefined) setCursor(ok.nextCursor);
    setItems((before = []) =>
      from === undefined ? [...ok.items, ...olderThan(ok.items, before)] : [...before, ...olderThan(before, ok.items)],
    );
  };
  useEffect(() => void read(), [connection]);
  return { items, problem, again: () => void read(), earlier: cursor && (() => void read(cursor)) };
}

function olderThan(newer: Contact[], contacts: Contact[]): Contact[] {
  const last = newer.at(-1)?.id ?? '';
  return contacts.filter(({ id }) => id < last);
}
