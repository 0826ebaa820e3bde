import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { connection, shown } from '../live/store.ts';

const visible = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => (visible.value = document.visibilityState === 'visible'));

/** Tells the hub of the inquiries that a person looking at this screen can see; each once. */
export function useShown(inquiryIds: string[]): void {
  const seen = visible.value && connection.value === 'live';
  useEffect(() => {
    if (seen) for (const inquiryId of inquiryIds) shown(inquiryId);
  }, [seen, inquiryIds.join()]);
}
