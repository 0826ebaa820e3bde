import type { HubToDevice } from '#shared/live.ts';
import { WAITING, type DeviceSocket } from '../live/border/sockets.ts';
import { isAway } from '../platform/database.ts';
import type { TestDevice } from '../live/testing/hub.ts';
import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import type { SimNode } from './node.ts';
import type { Schedule } from './schedule.ts';

export type SimDevice = TestDevice & { name: string };
export type Sent = {
  [Name in keyof HubToDevice]: { name: Name; event: Parameters<HubToDevice[Name]>[0] };
}[keyof HubToDevice];

/** One connection of a device. What is on its way when it breaks is lost. */
export type Link = {
  device: SimDevice;
  node: SimNode;
  up: boolean;
  waiting: boolean;
  hear(sent: Sent): void;
  socket: DeviceSocket;
};

/** `hint`: may be lost on its own, or come twice, while the line holds. */
type Message = { key: string; link: Link; arrive: () => void; hint: boolean };

/** Lines between the hub and its devices that lose, double, delay and reorder. */
export function createNetwork(chance: Chance, faults: Faults, later: Schedule['after']) {
  const links = new Set<Link>();
  let messages: Message[] = [];
  const network = {
    links,
    failures: [] as string[],
    open(device: SimDevice, node: SimNode, hear: Link['hear']): Link {
      const link = { device, node, up: true, waiting: true, hear } as Link;
      link.socket = socketOf(network, link);
      links.add(link);
      return link;
    },
    hangUp(link: Link): void {
      link.up = false;
      links.delete(link);
    },
    tell(link: Link, sent: Sent, key: string, hint: boolean): void {
      messages.push({ key: `${key} ${link.device.name}`, link, arrive: () => link.hear(sent), hint });
    },
    /** Runs a call of a page when it arrives, and brings back the result on the same line. */
    call<Result>(link: Link, key: string, run: () => Promise<Result>, told: (result: Result) => void): void {
      const atNode = (arrived: () => void) => later(chance.between(1, faults.wayMs), () => link.node.after(0, arrived));
      atNode(() => {
        if (!link.up) return;
        run().then(
          (result) => messages.push({ key, link, arrive: () => told(result), hint: false }),
          // Without a reply a page sends it again when it comes back.
          (error: unknown) => isAway(error) || network.failures.push(`${key}: ${String(error)}`),
        );
      });
    },
    /** Sends what one moment left to send, sorted: which of two transactions is told first is the machine's affair and not the seed's. */
    post(): void {
      const outgoing = messages.filter(({ link }) => link.up).toSorted((a, b) => (a.key < b.key ? -1 : 1));
      messages = [];
      for (const { link, arrive, hint } of outgoing) {
        const copies = !hint ? 1 : chance.percent(faults.lost) ? 0 : chance.percent(faults.twice) ? 2 : 1;
        for (let copy = 0; copy < copies; copy++) later(chance.between(1, faults.wayMs), () => link.up && arrive());
      }
    },
  };
  return network;
}
export type Network = ReturnType<typeof createNetwork>;

export const screenOf = ({ device }: Link) => `screen of ${device.name}`;

/** As much of a socket as the hub needs to send a snapshot. */
function socketOf(network: Network, link: Link): DeviceSocket {
  const socket = {
    get connected() {
      return link.up;
    },
    conn: { close: () => network.hangUp(link), writeBuffer: [], transport: {} },
    data: { device: { id: link.device.id, person: { id: link.device.personId } } },
    join: (room: string) => (link.waiting ||= room === WAITING),
    leave: (room: string) => (link.waiting &&= room !== WAITING),
    emit: (name: 'snapshot', event: Sent['event']) => network.tell(link, { name, event } as Sent, name, false),
  };
  return socket as unknown as DeviceSocket;
}
