import { ChangeDevice, ChangeMe, Device, LeftBehind, Me, list } from '#shared/wire.ts';
import { changePerson, readPreferences } from '../people/change.ts';
import { readPerson } from '../people/store.ts';
import { deviceOf, routeFor, type DeviceCaller } from '../platform/http/access.ts';
import { HUB_TIME_ZONE } from '../platform/time-zone.ts';
import type { Database } from '../platform/database.ts';
import { Id } from '../platform/http/params.ts';
import type { Http } from '../platform/http/server.ts';
import type { Announce } from './admit.ts';
import { renameDevice, revokeDevice, type SayGoodbye } from './revoke.ts';
import { listDevices, madeBy, readDevice } from './store.ts';

/** This person changed when it is quiet for them, or whether what is open rings again. */
type Changed = ((personId: string) => Promise<void>) | undefined;
export type DevicesDeps = {
  database: Database;
  announce: Announce;
  sayGoodbye?: SayGoodbye;
  quietChanged?: Changed;
  remindersChanged?: Changed;
};

/** A person's calls about themselves and their own devices. */
export function deviceRoutes(app: Http, { database, announce, sayGoodbye, ...changed }: DevicesDeps): void {
  meRoutes(app, { database, announce, ...changed });
  const route = routeFor('device', 'Devices');

  route(app, 'GET /v1/devices', 'List my devices', {
    operationId: 'listDevices',
    description: 'Those that are signed in as me.',
    response: { 200: list(Device) },
    handler: async (request) => ({ items: await listDevices(database, deviceOf(request)) }),
  });

  route(app, 'PATCH /v1/devices/:id', 'Give one of my devices another name', {
    operationId: 'renameDevice',
    description: 'What it is called on every device and in the history.',
    problems: ['device.unknown'],
    params: Id,
    body: ChangeDevice,
    response: { 200: Device },
    handler: async (request) => {
      const caller = deviceOf(request);
      await renameDevice(database, caller.person.id, request.params.id, request.body.name);
      return readDevice(database, request.params.id, caller);
    },
  });

  route(app, 'DELETE /v1/devices/:id', 'Sign one of my devices out', {
    operationId: 'revokeDevice',
    description: 'Its token counts no more, at once. What it made stays, and the reply lists it for review.',
    problems: ['device.unknown'],
    params: Id,
    response: { 200: LeftBehind.describe('signed out; what it made stays, and is listed for review') },
    handler: async (request) => {
      await revokeDevice(database, announce, deviceOf(request).person.id, request.params.id, sayGoodbye);
      return madeBy(database.read, request.params.id);
    },
  });
}

/** Who I am, and what I may change of it. */
function meRoutes(app: Http, { database, announce, quietChanged, remindersChanged }: DevicesDeps): void {
  const route = routeFor('device', 'People');
  const readMe = async (caller: DeviceCaller): Promise<Me> => ({
    person: await readPerson(database.read, caller.person.id),
    preferences: await readPreferences(database.read, caller.person.id),
    device: await readDevice(database, caller.id, caller),
    hubTimeZone: HUB_TIME_ZONE,
  });

  route(app, 'GET /v1/people/me', 'Read who I am', {
    operationId: 'readMe',
    description: 'The person, their preferences and this device.',
    response: { 200: Me },
    handler: (request) => readMe(deviceOf(request)),
  });

  route(app, 'PATCH /v1/people/me', 'Change my handle, name, language, privacy or how I want to be asked', {
    operationId: 'changeMe',
    description: 'Members that are absent stay as they are.',
    problems: ['handle.taken', 'preferences.too_many_sources'],
    body: ChangeMe,
    response: { 200: Me },
    handler: async (request) => {
      const caller = deviceOf(request);
      await changePerson(database, caller.person.id, request.body);
      const changed = await readMe(caller);
      const { person, preferences } = changed;
      const { quiet, chosenTimeZone, reminders } = request.body.preferences ?? {};
      if (quiet !== undefined || chosenTimeZone !== undefined) await quietChanged?.(person.id);
      if (reminders !== undefined) await remindersChanged?.(person.id);
      announce.toPerson(person.id, 'me', { person, preferences });
      return changed;
    },
  });
}
