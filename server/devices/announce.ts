import type { HubToDevice } from '#shared/live.ts';

type Event<Name extends keyof HubToDevice> = Parameters<HubToDevice[Name]>[0];

/** Tells devices what was committed about devices; `live` implements it. Hints only: each can also be read over HTTP. */
export type DeviceAnnounce = {
  accessRequest(personId: string, event: Event<'knock'>): void;
  accessRequestWithdraw(personId: string, event: Event<'knock_withdraw'>): void;
  /** To the device that made the link. */
  claimed(deviceId: string, event: Event<'claimed'>): void;
  /** RES5: no device comes in unseen by the others of its person. */
  enrolled(personId: string, event: Event<'enrolled'>): void;
  /** What the person changed on one of their devices is so on all of them. */
  me(personId: string, event: Event<'me'>): void;
  /** This device is out: tell it and close its sockets. */
  revoked(deviceId: string): void;
};
