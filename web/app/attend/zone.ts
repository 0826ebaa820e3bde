import { effect } from '@preact/signals';
import type { Me } from '#shared/wire.ts';
import { call } from '../../live/api.ts';
import { keepMe, me } from '../../live/session.ts';
import { connection } from '../../live/store.ts';

/** Tells the hub where its person is, by whose clock their rules go: where the page was opened last. */
export function tellZone(): () => void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  let told = false;
  return effect(() => {
    // What an older page kept has no preferences.
    const known = (me.value as Partial<Me> | undefined)?.preferences;
    if (told || !known || connection.value !== 'live') return;
    told = true;
    if (known.timeZone === timeZone) return;
    void call<Me>('PATCH', '/v1/people/me', { preferences: { timeZone } }).then(({ ok }) => ok && keepMe(ok));
  });
}
