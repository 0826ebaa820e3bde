import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#shared/wire.ts';
import { isDone, type Known, listSteps } from './steps.ts';

const at = (minute: number) => `2026-11-23T14:0${minute}:00.000Z`;
const device = (name: string, minute: number, more: Partial<Device> = {}): Device => ({
  id: `dev_${name}`,
  name,
  userAgent: `Mozilla/5.0 (${name})`,
  createdAt: at(minute),
  seenAt: at(minute),
  expiresAt: at(9),
  live: true,
  current: false,
  ...more,
});
const shown = (minute: number): Partial<Device> => ({
  subscription: { endpointHost: 'push.example', createdAt: at(1), shownAt: at(minute) },
});
const question = (name: string, minute: number) => ({
  id: `inq_${name}`,
  title: 'Which?',
  source: { id: `src_${name}`, name },
  openedAt: at(minute),
});
const laptop = device('MacBook', 1, { current: true });
const known = (more: Partial<Known>): Known => ({
  devices: [laptop],
  asked: [],
  owner: true,
  mustInstall: false,
  ...more,
});
const done = (more: Partial<Known>) =>
  listSteps(known(more)).map(({ name, proof }) => (proof ? `${name} ${proof.at.slice(14, 16)}` : name));

const answered = (minute: number) => ({
  resolution: { outcome: 'answered', at: at(minute) } as NonNullable<Known['asked'][number]['resolution']>,
});

test('each of the owner’s five steps is done by what the hub knows, and by nothing else', () => {
  deepStrictEqual(done({}), ['in 01', 'agent', 'tested', 'second', 'notified']);
  deepStrictEqual(done({ devices: [{ ...laptop, ...shown(2) }, device('iPhone', 3)], asked: [question('Atlas', 5)] }), [
    'in 01',
    'agent 05',
    'tested',
    'second 03',
    'notified',
  ]);
  const all = {
    devices: [{ ...laptop, ...shown(2) }, device('iPhone', 3, shown(4))],
    asked: [{ ...question('Atlas', 5), ...answered(6) }],
  };
  deepStrictEqual(done(all), ['in 01', 'agent 05', 'tested 06', 'second 03', 'notified 02']);
  deepStrictEqual(listSteps(known(all)).every(isDone), true);
});

test('a subscription that showed nothing, the hub’s command line and the page’s own test question prove no agent', () => {
  const silent = { subscription: { endpointHost: 'push.example', createdAt: at(2) } };
  const tested = ['Test question', '测试问题'].map((runId) => ({ ...question('Atlas', 5), context: { runId } }));
  deepStrictEqual(
    done({
      devices: [{ ...laptop, ...silent }],
      asked: [{ ...question('Command line', 5), ...answered(6) }, ...tested],
    }),
    ['in 01', 'agent', 'tested', 'second', 'notified'],
  );
});

test('two devices of one model and one browser are two', () => {
  const twin = { ...laptop, id: 'dev_twin', current: false, createdAt: at(4) };
  deepStrictEqual(done({ devices: [laptop, twin] }), ['in 01', 'agent', 'tested', 'second 04', 'notified']);
});

test('who does not own the hub has two steps', () => {
  deepStrictEqual(done({ owner: false }), ['in 01', 'notified']);
});

test('on an iPhone that is not installed, an app that signed in there later proves the step', () => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)';
  const safari = device('iPhone', 3, { current: true, userAgent });
  const app = (minute: number, more: Partial<Device> = {}) => device('iPhone', minute, { userAgent, ...more });
  const phone = (...others: Device[]) =>
    done({
      devices: [laptop, safari, ...others].map((one) => ({ ...one, current: one === safari })),
      mustInstall: true,
    });
  deepStrictEqual(phone(), ['in 03', 'install', 'inApp']);
  deepStrictEqual(phone(app(2, shown(2))), ['in 03', 'install', 'inApp']);
  deepStrictEqual(phone(app(4)), ['in 03', 'install 04', 'inApp']);
  deepStrictEqual(phone(app(4, shown(5))), ['in 03', 'install 04', 'inApp 05']);
});
