import { parseOrRefuse } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { ChangeDevice, type Device } from '#shared/wire.ts';
import { addDevice } from '../devices/admit.ts';
import { revokeDevice } from '../devices/revoke.ts';
import { listDevices, madeBy } from '../devices/store.ts';
import { listPeople } from '../people/store.ts';
import { command } from './command/command.ts';
import { ALL, withHubData, withNewHubData, type HubData } from './command/hub-data.ts';
import { print, printList } from './command/terminal.ts';
import { personCalled } from './person.ts';
import { goodbyes, unheardDevices } from './removal.ts';

const deviceAdd = command({
  name: 'device add',
  does: "make a device's token, for scripts",
  args: ['HANDLE', 'NAME'],
  json: true,
  more: 'Its person is told on their other devices that it came in.',
  examples: ['beckon device add owner "Night script"', "beckon device add owner Script --json | jq -r '.accessToken'"],
  run: ({ args: [handle = '', name = ''], json }, terminal) =>
    withNewHubData(terminal, async (data) => {
      const { id } = await personCalled(data, handle);
      const { name: checked } = parseOrRefuse(ChangeDevice, { name });
      const { deviceId, accessToken } = await addDevice(data.database, id, checked);
      const said = `The device ${deviceId} ("${name}") of ${handle} is in. Its token is shown this once:\n${accessToken}`;
      print(terminal, json, { deviceId, accessToken }, said);
    }),
});

type Listed = Omit<Device, 'current'> & { handle: string };

const deviceList = command({
  name: 'device list',
  does: 'list the devices that people are signed in on',
  args: ['[HANDLE]'],
  json: true,
  examples: ['beckon device list', 'beckon device list anna'],
  run: ({ args: [handle], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const columns = {
        ID: (one: Listed) => one.id,
        PERSON: (one: Listed) => one.handle,
        NAME: (one: Listed) => one.name,
        SEEN: (one: Listed) => (one.live ? 'now' : one.seenAt),
        NOTIFICATIONS: (one: Listed) => one.subscription?.endpointHost ?? 'none',
      };
      printList(terminal.out, await listEverybodysDevices(data, handle), { json, columns });
    }),
});

const deviceRemove = command({
  name: 'device remove',
  does: 'sign a device out, with the links it made and the requests it allowed',
  args: ['ID'],
  json: true,
  more: 'Its token is refused at once, and a page that is open on it closes within seconds. What it made stays; it is listed for review.',
  examples: ['beckon device list', 'beckon device remove dev_01KY3H7CZ2V5J8XQ4M6N0PWTRB'],
  run: ({ args: [id = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const device = (await listEverybodysDevices(data)).find((one) => one.id === id);
      if (!device)
        throw new AppError(
          404,
          'device.unknown',
          `Nobody is signed in on a device ${id}; "beckon device list" lists them.`,
        );
      const { database } = data;
      const { id: personId } = await personCalled(data, device.handle);
      const goodbye = await goodbyes(data);
      await revokeDevice(database, unheardDevices, personId, id, goodbye.say);
      await goodbye.said();
      const made = await madeBy(database.read, id);
      const left = [
        ...made.devices.map((one) => `the device "${one.name}"`),
        ...made.people.map((one) => `the person ${one.handle}`),
        ...made.sources.map((one) => `the source "${one.name}"`),
        ...made.gates.map((one) => `the gate "${one.name}"`),
        ...made.policies.map((one) => `rules of the ${one.of}`),
      ];
      const review = left.length === 0 ? '' : ` It made, or changed last: ${left.join(', ')}.`;
      const said = `The device "${device.name}" of ${device.handle} is signed out.${review}`;
      print(terminal, json, { removed: id, made }, said);
    }),
});

async function listEverybodysDevices(data: HubData, handle?: string): Promise<Listed[]> {
  const { database } = data;
  const people =
    handle === undefined ? (await listPeople(database.read, '', ALL)).items : [await personCalled(data, handle)];
  const listed: Listed[] = [];
  for (const person of people)
    for (const { current: _none, ...device } of await listDevices(database, { person }))
      listed.push({ ...device, handle: person.handle });
  return listed;
}

export const deviceCommands = [deviceAdd, deviceList, deviceRemove];
