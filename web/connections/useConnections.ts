import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';
import type { Check } from '#shared/connections/contact.ts';
import { visible } from '#shared/visible.ts';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { clockTime } from '../ui/times.ts';
import { whenIs } from '../app/clock.ts';
import { contactWords } from './contacts/contactWords.ts';
import { words } from './words.ts';

const REFRESH_MS = 5000;

export type Connections = { items: Connection[] | undefined; problem: Problem | undefined; read: () => Promise<void> };

/** The owner's connections; read again and again while the page is seen, since no event tells of a contact. */
export function useConnections(owner: boolean): Connections {
  const [items, setItems] = useState<Connection[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const readings = useRef(0);
  const read = async () => {
    const reading = ++readings.current;
    const reply = await call<{ items: Connection[] }>('GET', '/v1/connections');
    // One that was begun later knows more.
    if (reading !== readings.current) return;
    setProblem(reply.problem);
    if (reply.ok) setItems(reply.ok.items);
  };
  useEffect(() => {
    if (!owner) return undefined;
    void read();
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [owner]);
  return { items, problem, read };
}

/** A live check by the call at `path`, and what it found as one sentence. */
export function useCheck(path: string) {
  const t = say(words);
  const { troubles } = say(contactWords);
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState('');
  const run = async (body: object): Promise<Problem | undefined> => {
    if (busy) return undefined;
    setBusy(true);
    setFound(t.checking);
    const { ok, problem } = await call<Check>('POST', path, body);
    setBusy(false);
    setFound(ok ? t.checked(clockTime(Date.parse(ok.at)), troubles[ok.code] ?? visible(ok.detail)) : '');
    return problem;
  };
  return { busy, found, run };
}

/** How a connection stands: as the head of its page, as a clause of a row, and what went wrong last. */
export function standing({ name, kind, enabled, usedAt, lastContact, lastError }: Connection) {
  const t = say(words);
  const { troubles } = say(contactWords);
  const last = lastContact?.at ?? usedAt;
  const clause = !enabled ? t.off : last === undefined ? t.noContact : t.lastContact(whenIs(last));
  const wrong = enabled && lastError && last !== undefined && lastError.at >= last ? lastError.problem : undefined;
  const first = visible(name);
  const calls = enabled && lastContact && kind !== 'inbound';
  const head = [wrong ? t.fails(first) : calls ? t.answers(first) : first, clause] as const;
  return { head, clause, wrong: wrong && (troubles[wrong.code] ?? visible(wrong.detail)) };
}
