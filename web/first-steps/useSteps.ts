import { useEffect, useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Device } from '#shared/wire.ts';
import { isInstalled, isIos } from '../app/browser/install.ts';
import { call } from '../live/api.ts';
import { admitted } from '../live/enrolments.ts';
import { history } from '../live/history.ts';
import { me } from '../live/session.ts';
import { connection, entries } from '../live/store.ts';
import { hubSays } from '../push/notifications.ts';
import { type Step, listSteps } from './steps.ts';

/** What happens on another device, or a notification that was shown there, is told by no event. */
const AGAIN_MS = 4000;

/** What the first steps were read from, and they themselves; `failed`: the hub said nothing. */
export type Seen = {
  steps: readonly Step[];
  devices: readonly Device[];
  open: readonly Inquiry[];
  failed: boolean;
};

/** The first steps as the hub's state proves them, read again while they stand on the screen. */
export function useSteps(): Seen {
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [past, setPast] = useState<readonly Inquiry[] | undefined>();
  const [failed, setFailed] = useState(false);
  const shownAt = hubSays.value?.subscription?.shownAt;
  useEffect(() => {
    let gone = false;
    const read = async () => {
      const [listed, settled] = await Promise.all([call<{ items: Device[] }>('GET', '/v1/devices'), history()]);
      if (gone) return;
      setFailed(listed.problem !== undefined || 'problem' in settled);
      if (listed.ok) setDevices(listed.ok.items);
      if ('items' in settled) setPast(settled.items);
    };
    void read();
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), AGAIN_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [connection.value, admitted.value, shownAt]);
  const open = entries.value.map(({ inquiry }) => inquiry);
  const steps =
    past === undefined
      ? []
      : listSteps({
          devices,
          asked: [...open, ...past],
          owner: me.value?.person.owner ?? false,
          mustInstall: isIos() && !isInstalled(),
        });
  return { steps, devices, open, failed };
}
