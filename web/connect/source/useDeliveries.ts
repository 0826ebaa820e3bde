import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { call } from '../../live/api.ts';

type Page = { items: WebhookDelivery[]; nextCursor?: string };

const AGAIN_MS = 3_000;

/** The webhooks of a source, newest first; read again while one of them waits. Earlier pages come on request. */
export function useDeliveries(sourceId: string | undefined) {
  const [items, setItems] = useState<WebhookDelivery[] | undefined>();
  const [cursor, setCursor] = useState<string | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const readings = useRef(0);
  const read = async (from?: string) => {
    const reading = from === undefined ? ++readings.current : 0;
    const query = from === undefined ? '' : `&cursor=${from}`;
    const reply = await call<Page>('GET', `/v1/deliveries?source=${sourceId}&limit=20${query}`);
    // One of the newest that was begun later knows more.
    if (from === undefined && reading !== readings.current) return;
    setProblem(reply.problem);
    const { ok } = reply;
    if (!ok) return;
    if (from !== undefined || items === undefined) setCursor(ok.nextCursor);
    setItems((before = []) =>
      from === undefined ? [...ok.items, ...olderThan(ok.items, before)] : [...before, ...olderThan(before, ok.items)],
    );
  };
  const change = async (id: string, what: 'now' | 'replay') => {
    const reply = await call<WebhookDelivery>('POST', `/v1/deliveries/${id}/${what}`, {});
    await read();
    setProblem(reply.problem);
  };
  useEffect(() => {
    if (sourceId !== undefined) void read();
  }, [sourceId]);
  const waits = items?.some(({ state }) => state === 'pending') ?? false;
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => !document.hidden && void read(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [waits]);
  return { items, problem, change, read: () => void read(), earlier: cursor && (() => void read(cursor)) };
}

function olderThan(newer: WebhookDelivery[], deliveries: WebhookDelivery[]): WebhookDelivery[] {
  const last = newer.at(-1)?.id ?? '';
  return deliveries.filter(({ id }) => id < last);
}
