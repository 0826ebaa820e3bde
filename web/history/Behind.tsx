import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Deliveries, DeviceDelivery } from '#shared/schemas/deliveries.ts';
import { visible } from '#shared/visible.ts';
import { lazy } from '../app/lazy.tsx';
import { Decisions } from '../inquiry/outcome/Decisions.tsx';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { Icon } from '../ui/Icon.tsx';
import { language } from '../ui/language.ts';
import { capital, moment } from '../ui/times.ts';
import { historyWords } from './words.ts';

const RuleThen = lazy(() => import('../policies/RuleThen.tsx').then(({ RuleThen: ready }) => ready));

/** A record's line, which opens to the rule as it was worded, each of several calls, and by whom it was seen. */
export function Behind({ inquiry, line }: { inquiry: Inquiry; line: string }) {
  const words = historyWords();
  const open = useSignal(false);
  const devices = useSignal<DeviceDelivery[] | undefined>(undefined);
  const failed = useSignal(false);
  const { told, shown } = inquiry.reach;
  const decisions = inquiry.resolution?.answer?.decisions ?? [];
  const read = async (isOpen: boolean) => {
    open.value = isOpen;
    if (!isOpen || devices.value || told === 0) return;
    const reply = await call<Deliveries>('GET', `/v1/inquiries/${inquiry.id}/deliveries`);
    failed.value = reply.problem !== undefined;
    if (reply.ok) devices.value = reply.ok.items;
  };
  const seen = told === 0 ? (inquiry.quiet ? words.quiet : words.toldNobody) : words.seenOn(shown);
  return (
    <details class="behind" onToggle={(event) => void read(event.currentTarget.open)}>
      <summary>
        <span dir="auto">{line}</span>
        <Icon name="next" />
      </summary>
      {open.value && (
        <>
          {inquiry.rule && <RuleThen inquiry={inquiry} />}
          {decisions.length > 1 && <Decisions {...{ inquiry, decisions }} />}
          <p>{seen}</p>
          {failed.value && <p role="alert">{words.notFetched}</p>}
          <ul>
            {(devices.value ?? []).map((one) => (
              <li key={one.device.id}>{sayLine(one)}</li>
            ))}
          </ul>
        </>
      )}
    </details>
  );

  function sayLine({ person, device, toldAt, shownAt, openedAt }: DeviceDelivery): string {
    const who = person === me.value?.person.handle ? capital(words.you) : visible(person);
    const at = (instant: string) => moment(Date.parse(instant), now.value, language.value);
    const where = words.on(who, visible(device.name));
    if (openedAt) return words.opened(where, at(openedAt));
    if (shownAt) return words.shown(where, at(shownAt));
    return toldAt ? words.told(where, at(toldAt)) : words.notTold(where);
  }
}
