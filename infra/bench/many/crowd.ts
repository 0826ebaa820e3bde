import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Device, Orders } from './lines.ts';

const PROCESSES = 2;

type Given<Order extends keyof Orders> = Parameters<Orders[Order]>[0];
export type Crowd = ReturnType<typeof startCrowd>;

/** Devices in processes of their own, since one alone is slower than the hub. */
export function startCrowd() {
  const children = Array.from({ length: PROCESSES }, () =>
    fork(join(import.meta.dirname, 'lines.ts'), { execArgv: [] }),
  );
  const all = <Order extends keyof Orders>(order: Order, given: (child: number) => Given<Order>) =>
    Promise.all(
      children.map(async (child, at) => {
        const told = once(child, 'message');
        child.send({ order, given: given(at) });
        const [{ result }] = (await told) as [{ result: Awaited<ReturnType<Orders[Order]>> }];
        return result;
      }),
    );
  return {
    async connect(port: number, devices: Device[]): Promise<void> {
      const share = Math.ceil(devices.length / PROCESSES);
      await all('connect', (at) => ({ port, devices: devices.slice(at * share, (at + 1) * share) }));
    },
    cut: () => all('cut', () => undefined),
    hear: (order: Given<'hear'>) => all('hear', () => order),
    wrong: (open: Given<'wrong'>) => all('wrong', () => open),
    async end() {
      await all('end', () => undefined);
      for (const child of children) child.kill();
    },
  };
}
