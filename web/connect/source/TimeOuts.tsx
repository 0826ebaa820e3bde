import '../../connections/connections.css';
import { visible } from '#shared/visible.ts';
import { wrongOrder } from '#shared/connections/timeouts.ts';
import type { Source } from '#shared/wire.ts';
import { whenIs } from '../../app/clock.ts';
import { say } from '../../ui/language.ts';
import { words } from './words.ts';
import { Space } from '../../ui/sentence/Space.tsx';

/** Says that the client of a source gives up before the hub does, and what would fit. */
export function TimeOuts({ source: { id, name, timeouts }, named }: { source: Source; named?: boolean }) {
  const t = say(words);
  const order = timeouts && wrongOrder(timeouts.client, timeouts.hub);
  if (!timeouts || !order) return null;
  return (
    <p class="wrong-order">
      {named && (
        <a class="link" href={`/sources/${id}`}>
          {visible(name)}
        </a>
      )}{' '}
      <b>{t.wrongOrder}</b>
      <Space />
      {t.wrongOrderSay(order, whenIs(timeouts.at))}
      <Space />
      {order.better !== undefined && t.better(order.better)}
    </p>
  );
}
