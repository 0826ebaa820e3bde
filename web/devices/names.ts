import { visible } from '#shared/visible.ts';
import type { Device } from '#shared/wire.ts';

/** What each device is called, by its id: those of one name are numbered in the order in which they signed in. */
export function nameDevices(devices: readonly Device[]): Record<string, string> {
  const count: Record<string, number> = {};
  return Object.fromEntries(
    devices
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
      .map(({ id, name }) => {
        const shown = visible(name);
        count[shown] = (count[shown] ?? 0) + 1;
        return [id, count[shown] === 1 ? shown : `${shown} (${count[shown]})`];
      }),
  );
}
