import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { ClientGone, createAsking } from './asking.ts';

function begun(asking: ReturnType<typeof createAsking>, place: string, id: string) {
  const one = asking.begin(place, id);
  if (typeof one === 'string') throw new Error(one);
  return one;
}

test('eight questions wait at one place, none of them twice', () => {
  const asking = createAsking();
  asking.enter('a', 0);
  const first = begun(asking, 'a', '0');
  for (let id = 1; id < 8; id++) begun(asking, 'a', String(id));
  deepStrictEqual(
    [asking.begin('a', '0'), asking.begin('a', '8'), typeof asking.begin('b', '8')],
    ['known', 'full', 'object'],
  );
  first.done();
  deepStrictEqual([typeof asking.begin('a', '8'), asking.begin('a', '9')], ['object', 'full']);
});

test('questions go with the last client of their place, after the grace, unless one comes back', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asking = createAsking();
  const leave = [asking.enter('a', 1000), asking.enter('a', 1000)];
  const { signal } = begun(asking, 'a', '1');
  const elsewhere = begun(asking, 'b', '1');
  leave[0]?.();
  leave[0]?.();
  t.mock.timers.tick(5000);
  leave[1]?.();
  t.mock.timers.tick(999);
  const back = asking.enter('a', 1000);
  t.mock.timers.tick(5000);
  deepStrictEqual(signal.aborted, false);
  back();
  t.mock.timers.tick(1000);
  deepStrictEqual([signal.reason instanceof ClientGone, elsewhere.signal.aborted], [true, false]);
});

test('a question is taken back by its upstream, all of them with their session', () => {
  const asking = createAsking();
  asking.enter('a', 0);
  const [one, other] = [begun(asking, 'a', '1'), begun(asking, 'a', '2')];
  deepStrictEqual([asking.takeBack('a', '1', 'No more.'), asking.takeBack('b', '1', 'No more.')], [true, false]);
  deepStrictEqual([(one.signal.reason as Error).message, other.signal.aborted], ['No more.', false]);
  asking.end('a');
  deepStrictEqual((other.signal.reason as Error).message, 'Its session ended.');
});
