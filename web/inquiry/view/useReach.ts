import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { call } from '../../live/api.ts';

const FIRST_MS = 1500;
const AGAIN_MS = 20_000;

/** Which devices were told and showed it, read again while somebody looks: no live event tells of each. */
export function useReach({ id, reach, resolution }: Inquiry): Inquiry['reach'] {
  const latest = useSignal(reach);
  useEffect(() => {
    if (resolution) return undefined;
    const read = async () => {
      if (document.visibilityState !== 'visible') return;
      const { ok } = await call<Inquiry>('GET', `/v1/inquiries/${id}`);
      if (ok) latest.value = ok.reach;
    };
    const first = setTimeout(() => void read(), FIRST_MS);
    const again = setInterval(() => void read(), AGAIN_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [id, resolution]);
  return latest.value;
}
