import type { DeviceCaller } from '../platform/http/access.ts';

/** For whom, and on which device, something is shown. */
export type Viewer = { personId: string; deviceId: string };

/** Who calls, as far as answering is concerned. */
export type Answerer = Viewer & {
  deviceName: string;
  handle: string;
  via: 'live' | 'http' | 'notification' | 'mcp';
  /** The socket that answers, which keeps its own screen. */
  screen?: string | undefined;
};

/** The person and device behind a call, as the one who answers. */
export function toAnswerer({ id, name, person }: DeviceCaller, via: Answerer['via'], screen?: string): Answerer {
  return { deviceId: id, deviceName: name, personId: person.id, handle: person.handle, via, screen };
}
