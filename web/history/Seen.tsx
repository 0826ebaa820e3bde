import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Deliveries, DeviceDelivery } from '#shared/schemas/deliveries.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { moment } from '../ui/times.ts';
import { visible } from '#shared/visible.ts';
import { historyWords } from './words.ts';

/** By whom, where and when an inquiry was seen; read when somebody asks for it. */
export function Seen({ inquiry }: { inquiry: Inquiry }) {
  const words = historyWords();
  const devices = useSignal<DeviceDelivery[] | undefined>(undefined);
  const failed = useSignal(false);
  const { told, shown } = inquiry.reach;
  if (told === 0) return <p>{inquiry.quiet ? words.quiet : words.toldNobody}</p>;
  const read = async () => {
    if (devices.value) return;
    const reply = await call<Deliveries>('GET', `/v1/inquiries/${inquiry.id}/deliveries`);
    failed.value = reply.problem !== undefined;
    if (reply.ok) devices.value = reply.ok.items;
  };
  return (
    <details class="seen" onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>
        <span class="link">{words.seenOn(shown)}</span>
      </summary>
      {failed.value && <p role="alert">{words.notFetched}</p>}
      <ul>
        {(devices.value ?? []).map((one) => (
          <li key={one.device.id}>{lineOf(one)}</li>
        ))}
      </ul>
    </details>
  );

  function lineOf({ person, device, toldAt, shownAt, openedAt }: DeviceDelivery): string {
    const who = person === me.value?.person.handle ? words.you : visible(person);
    const at = (instant: string) => moment(Date.parse(instant), now.value, language.value);
    const where = words.on(who, visible(device.name));
    if (openedAt) return words.opened(where, at(openedAt));
    if (shownAt) return words.shown(where, at(shownAt));
    return toldAt ? words.told(where, at(toldAt)) : words.notTold(where);
  }
}
