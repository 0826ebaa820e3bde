import type { Connection } from '#shared/connections/connection.ts';
import { wrongOrder } from '#shared/connections/timeouts.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { words } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';

/** Says that the platform gives up before the hub does, and offers a time that fits. */
export function WrongOrder({ connection, onSet }: { connection: Connection; onSet: (seconds: number) => void }) {
  const t = say(words);
  const order = wrongOrder(connection.platformLimit, connection.deadline);
  if (!order) return null;
  const { client: platform, hub, device, better } = order;
  return (
    <p class="wrong-order">
      <b>{t.wrongOrder}</b>
      <Space />
      {t.wrongOrderSay(platform, hub, device)}{' '}
      {better !== undefined && <Quiet onPress={() => onSet(better)}>{t.setHub(better)}</Quiet>}
    </p>
  );
}
