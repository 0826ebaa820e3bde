import { deepStrictEqual } from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { askLine, onStopSignal } from './terminal.ts';

test('an input that ends before its line does counts as an empty line', async () => {
  const answers = ['yes\n', 'y\nmore\n', ''].map(async (text) => {
    const input = new PassThrough();
    const said = askLine('Write this? (y/N) ', { input, output: new PassThrough() });
    input.end(text);
    return said;
  });
  deepStrictEqual(await Promise.all(answers), ['yes', 'y', '']);
});

test('a signal that a group and a parent both send is one, and a later one ends the process', async (t) => {
  let [stops, ends, passed] = [0, 0, 0];
  const monotonic = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => monotonic() + passed);
  t.mock.method(process, 'exit', () => void (ends += 1));
  const before = process.listenerCount('SIGHUP');
  const unheard = onStopSignal(() => (stops += 1));
  for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM'] as const) process.kill(process.pid, signal);
  while (stops === 0) await turn();
  await turn();
  const first = [stops, ends];
  passed = 1_000;
  process.emit('SIGHUP');
  unheard();
  deepStrictEqual([first, [stops, ends], process.listenerCount('SIGHUP')], [[1, 0], [1, 1], before]);
});
