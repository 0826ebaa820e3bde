import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { mock, test, type TestContext } from 'node:test';
import type { Rule } from '#shared/policies/rule.ts';
import { makeRule } from './always/make.ts';
import { changeList, readList, writeList } from './lists.ts';
import { made, undoRule } from './made.ts';

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  when: { tool: name },
  then: 'approve',
  ...more,
});

/** A hub with one list; `meanwhile` runs between a reading and the writing that follows, as another device would. */
function hubWith(t: TestContext, rules: Rule[], meanwhile: ((rules: Rule[]) => Rule[])[] = []) {
  const hub = { version: 1, rules, text: undefined as string | undefined, asked: [] as string[] };
  const reply = (status: number, body: unknown) =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  mock.method(globalThis, 'fetch', async (path: string, { method, body }: { method: string; body?: string }) => {
    hub.asked.push(`${method} ${path}`);
    if (method === 'GET') {
      const read = reply(200, hub.text ?? { version: hub.version, rules: hub.rules });
      const change = meanwhile.shift();
      if (change) Object.assign(hub, { version: hub.version + 1, rules: change(hub.rules) });
      return read;
    }
    const put = JSON.parse(body ?? '') as { version: number; rules: Rule[] };
    hub.text = undefined;
    if (put.version !== hub.version)
      return reply(409, { code: 'policies.changed', detail: 'changed', status: 409, title: '', type: '' });
    Object.assign(hub, { version: hub.version + 1, rules: put.rules, text: body });
    return reply(200, { version: hub.version, rules: hub.rules });
  });
  t.after(() => mock.restoreAll());
  return hub;
}

test('[POL2] a list that another device changed stays as it is, and who wrote is told', async (t) => {
  const hub = hubWith(t, [rule('a')], [(rules) => [...rules, rule('theirs')]]);
  const read = await readList('me');
  const reply = await writeList('me', { version: read.ok?.version ?? 0, rules: [rule('mine')] });
  deepStrictEqual([reply.problem?.code, hub.rules], ['policies.changed', [rule('a'), rule('theirs')]]);
});

test('[POL2] a rule made with one tap joins what the list is by then', async (t) => {
  const hub = hubWith(t, [rule('a')], [(rules) => [rule('theirs'), ...rules]]);
  strictEqual(await makeRule('hub', () => rule('b'), 0), undefined);
  deepStrictEqual(hub.rules, [rule('b'), rule('theirs'), rule('a')]);
  strictEqual(hub.asked[0], 'GET /v1/policies/hub');
});

test('[POL7] one tap takes back the rule that was made, and nothing else', async (t) => {
  const hub = hubWith(t, [rule('a')], []);
  await makeRule('me', () => rule('b', { until: '2027-01-01T00:00:00.000Z' }), 0);
  deepStrictEqual(made.value, { of: 'me', rule: hub.rules[0] });
  Object.assign(hub, { version: 9, text: undefined, rules: [rule('theirs'), ...hub.rules, rule('b')] });
  strictEqual(await undoRule(), undefined);
  deepStrictEqual([hub.rules, made.value], [[rule('theirs'), rule('a'), rule('b')], undefined]);
});

test('a list that changes again and again is given up, not overwritten', async (t) => {
  const always = Array.from({ length: 20 }, () => (rules: Rule[]) => rules);
  const hub = hubWith(t, [rule('a')], always);
  const problem = await makeRule('me', () => rule('b'), 0);
  deepStrictEqual([problem?.code, made.value], ['policies.changed', undefined]);
  deepStrictEqual([hub.rules, hub.asked.filter((one) => one.startsWith('PUT')).length], [[rule('a')], 5]);
});

test('every digit of a rule survives being read and written back', async (t) => {
  const hub = hubWith(t, []);
  const saved = '{"name":"n","when":{"tool":"x","args":{"/n":{"equals":9007199254740993}}},"then":"approve"}';
  hub.text = `{"version":1,"rules":[${saved}]}`;
  await changeList('me', (rules) => rules);
  strictEqual(hub.text, `{"version":1,"rules":[${saved}]}`);
});
