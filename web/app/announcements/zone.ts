import { effect } from '@preact/signals';
import type { Me } from '#shared/wire.ts';
import { call } from '../../live/api.ts';
import { keepMe } from '../../live/session.ts';
import { connection } from '../../live/store.ts';

/** Tells the hub where its person is, by whose clock their rules go: where a page was opened last. */
export function tellZone(): () => void {
  let told = false;
  return effect(() => {
    if (told || connection.value !== 'live') return;
    told = true;
    void tell();
  });
}

async function tell(): Promise<void> {
  // What this device kept may be older than what another one told.
  const { ok: known } = await call<Me>('GET', '/v1/people/me');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (!known || known.preferences.timeZone === timeZone) return;
  const { ok } = await call<Me>('PATCH', '/v1/people/me', { preferences: { timeZone } });
  if (ok) await keepMe(ok);
}
