/**
 * A process with very many devices' lines, told over the channel to its parent what to do with them; each order is
 * answered when it is done for all.
 */
import { Line } from './line.ts';

export type Device = { token: string; person: string };
export type Orders = {
  /** Connects them and waits for the snapshots. */
  connect(order: { port: number; devices: Device[] }): Promise<void>;
  /** Cuts all lines at once and waits for the snapshots they come back to. */
  cut(): Promise<void>;
  /** Waits until each line that is not cut heard so many of these. */
  hear(order: { event: 'inquiry' | 'withdraw'; times: number }): Promise<void>;
  /** How many lines show other inquiries than these, by person. */
  wrong(open: Record<string, string[]>): Promise<number>;
  end(): Promise<void>;
};

/** So many local addresses, because one has ports for about 28,000 lines that are open or were just closed. */
const ADDRESSES = 20;

let lines: { line: Line; person: string }[] = [];
const heard = { snapshot: 0, inquiry: 0, withdraw: 0 };
let waiting: { event: keyof typeof heard; count: number; done: () => void }[] = [];

function told(event: keyof typeof heard): void {
  heard[event]++;
  for (const wait of waiting.filter((one) => one.event === event && heard[event] >= one.count)) {
    waiting = waiting.filter((one) => one !== wait);
    wait.done();
  }
}

function until(event: keyof typeof heard, more: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push({ event, count: heard[event] + more, done: resolve });
  return promise;
}

const orders: Orders = {
  async connect({ port, devices }) {
    lines = devices.map(({ token, person }, number) => {
      const at = { host: '127.0.0.1', port, localAddress: `127.0.1.${1 + (number % ADDRESSES)}` };
      return { person, line: new Line(at, token, told) };
    });
    const connected = until('snapshot', lines.length);
    for (const { line } of lines) line.connect();
    await connected;
  },
  async cut() {
    const back = Promise.all(lines.map(({ line }) => line.back()));
    for (const { line } of lines) line.cut();
    await back;
  },
  async hear({ event, times }) {
    await until(event, lines.length * times);
  },
  async wrong(open) {
    const right = ({ line, person }: (typeof lines)[number]) =>
      line.open.size === (open[person] ?? []).length && (open[person] ?? []).every((id) => line.open.has(id));
    return lines.filter((one) => !right(one)).length;
  },
  async end() {
    for (const { line } of lines) line.end();
    lines = [];
  },
};

process.on('message', ({ order, given }: { order: keyof Orders; given: never }) => {
  void orders[order](given).then((result) => process.send?.({ result }));
});
process.on('disconnect', () => process.exit());
