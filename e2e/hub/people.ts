import type { NewPersonReply, NewSourceReply } from '#shared/wire.ts';
import type { Enrolled, EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { must } from './call.ts';
import { firstSecret, type Hub } from './hub.ts';

type Started = Pick<Hub, 'url' | 'dataDir'>;

/** A device that is in. */
export type Device = { id: string; name: string; token: string; personId: string; handle: string };

/** The owner's first device, let in by the link that the first start wrote. */
export async function ownerDevice(hub: Started, name = 'Laptop'): Promise<Device> {
  return redeem(hub, await firstSecret(hub), name);
}

/** Further devices of a person, let in by links that the owner makes. */
export async function addDevices(
  hub: { url: string },
  owner: Device,
  count: number,
  person: Device = owner,
): Promise<Device[]> {
  const devices: Device[] = [];
  for (let number = 1; number <= count; number++) {
    const { link } = await must<Omit<EnrolmentLink, 'enrolmentId'>>(hub, `POST /v1/people/${person.personId}/link`, {
      token: owner.token,
    });
    devices.push(await redeem(hub, secretOf(link), `${person.handle} ${number}`));
  }
  return devices;
}

/** Another person with one device. */
export async function addPerson(hub: { url: string }, owner: Device, handle: string): Promise<Device> {
  const { link } = await must<NewPersonReply>(hub, 'POST /v1/people', { token: owner.token, body: { handle } });
  return redeem(hub, secretOf(link), `${handle}'s phone`);
}

/** A source with its key and the secret of its webhooks. */
export async function addSource(
  hub: { url: string },
  owner: Device,
  name: string,
  more: { webhookUrl?: string; mayAsk?: string[] } = {},
): Promise<NewSourceReply> {
  return must(hub, 'POST /v1/sources', { token: owner.token, body: { name, ...more } });
}

async function redeem(hub: { url: string }, secret: string, name: string): Promise<Device> {
  const { deviceId, accessToken, person } = await must<Enrolled>(hub, 'POST /v1/enrolments/redeem', {
    body: { secret, deviceName: name },
  });
  return { id: deviceId, name, token: accessToken, personId: person.id, handle: person.handle };
}

const secretOf = (link: string): string => new URL(link).hash.slice(1);
