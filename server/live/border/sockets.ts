import type { Server, Socket } from 'socket.io';
import type { DeviceToHub, HubToDevice } from '#shared/live.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';

/** What the hub keeps for each socket; a thousand idle devices are a thousand of these, so no closures and no timers. */
type SocketState = {
  token: string;
  device: DeviceCaller;
  /** Token bucket: what is left, and when that was true. */
  tokens: number;
  countedAt: number;
  /** Bytes that waited to be sent when the hub last looked. */
  backlog: number;
  /** The snapshot being sent, and the one that starts after it. */
  catching?: Promise<number> | undefined;
  again?: Promise<number> | undefined;
};

export type LiveServer = Server<DeviceToHub, HubToDevice, Record<string, never>, SocketState>;
export type DeviceSocket = Socket<DeviceToHub, HubToDevice, Record<string, never>, SocketState>;

/** Sockets whose snapshot is not sent yet: deltas leave them out (see catch-up.ts). */
export const WAITING = 'waiting';
export const personRoom = (personId: string) => `person:${personId}`;
export const deviceRoom = (deviceId: string) => `device:${deviceId}`;
