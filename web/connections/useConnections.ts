import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';
import { call } from '../live/api.ts';

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
