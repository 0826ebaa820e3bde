import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openPlace } from '../../inquiries/testing/place.ts';
import { accept } from './testing/peer.ts';
import { CALL, delivery, openScene } from './testing/scene.ts';
import { wrongWith } from './testing/schemas.ts';

const FULL = {
  ...CALL,
  server: 'shop',
  agent_reasoning: 'Because.',
  context: { runtime: 'claude-code', session_id: 's', cwd: '/' },
};
const BODIES = [FULL, CALL, FULL, CALL, { instance_name: 'a', delivery: delivery() }, { delivery: null }];
const ODD = [
  'null',
  '1e400',
  '9007199254740993',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '{}',
  'true',
  '"approved"',
  '-0',
  '"x"',
];

/** A body in which a member holds something else, stands twice, is missing or has a sibling, or whose text is damaged. */
const damaged = fc
  .record({
    body: fc.constantFrom(...BODIES),
    place: fc.nat(),
    value: fc.constantFrom(...ODD),
    how: fc.nat(9),
    cut: fc.nat(),
  })
  .map(({ body, place, value, how, cut }) => {
    const members = Object.entries(body).map(([name, inner]) => `${JSON.stringify(name)}:${JSON.stringify(inner)}`);
    const at = place % members.length;
    const [name = ''] = members[at]!.split(':', 1);
    if (how === 0) members[at] = `${name}:${value}`;
    if (how === 1) members.push(`${name}:${value}`);
    if (how === 2) members.splice(at, 1);
    if (how === 3) members.push(`"${['status', 'decision', 'id', 'callback', '__proto__', 'to'][cut % 6]}":${value}`);
    const text = `{${members.join(',')}}`;
    if (how === 4) return text.slice(0, cut % text.length);
    if (how === 5) return '['.repeat(cut % 200) + text;
    return how % 2 === 0 ? text : text.replace('4900', value);
  });
const calls = fc.record({
  text: damaged,
  route: fc.constantFrom(
    'POST /v1/requests',
    'POST /v1/requests',
    'POST /v1/requests',
    'POST /v1/instances',
    'PATCH /v1/instances/ID',
    'GET /v1/requests/ID',
    'DELETE /v1/requests/ID',
    'GET /v1/instances/ID',
    'DELETE /v1/instances/ID',
    'GET /v1/requests/ID?wait=WAIT',
  ),
  whose: fc.constantFrom('instance', 'instance', 'provisioner', 'other'),
  key: fc.oneof(
    { weight: 4, arbitrary: fc.nat(300).map(String) },
    { weight: 1, arbitrary: fc.constantFrom('', 'é', 'x'.repeat(3_000)) },
  ),
  id: fc.constantFrom('REQUEST', 'INSTANCE', '%00', '..%2f', 'x'.repeat(150), '00000000-0000-0000-0000-000000000000'),
  wait: fc.constantFrom('0s', '-1', '1s%00', '999999999999999999999h%20', 'NaN', '1e3s'),
});

test('[AAP1] [SEC1] [door] whatever is sent is refused in the protocol’s form or asks: never a 500, an approval, or what is another’s', async (t) => {
  const { place, close } = await openPlace();
  t.after(close);
  const s = await openScene(t, place);
  const secret = { ...FULL, arguments: { of: 'the other alone' } };
  const asked = (await s.ask(secret, 'mine', s.keys.other)).body.id ?? '';
  const made = (await s.provision({}, 'mine', await s.rival())).body.instance?.id ?? '';
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(calls, async ({ text, route, whose, key, id, wait }) => {
      const path = route.replace('ID', id.replace('REQUEST', asked).replace('INSTANCE', made)).replace('WAIT', wait);
      const own = whose === 'other' && path.startsWith('DELETE') ? 'instance' : whose;
      const body = route.startsWith('P') ? text : undefined;
      const headers: Record<string, string> = key === 'é' ? { 'idempotency-key': 'Ã©' } : {};
      const reply = await s.call(path, { as: s.keys[own], body, key: key === 'é' ? undefined : key, headers });
      ok(reply.status < 500, `${path} ${text} ${reply.status} ${reply.text}`);
      if (reply.status >= 400)
        deepStrictEqual(
          [wrongWith('error', reply.body), reply.body.error?.request_id],
          [[], reply.headers.get('x-request-id')],
        );
      else if (route === 'POST /v1/requests') deepStrictEqual(accept(reply.text, text).status, 'pending');
      if (reply.status === 201 || reply.status === 200) taken++;
      if (own !== 'other') ok(!reply.text.includes('the other alone'));
    }),
    { seed: 35, numRuns: 400 },
  );
  ok(taken > 20, String(taken));
  deepStrictEqual([(await s.call(`GET /v1/requests/${asked}`, { as: s.keys.other })).body.status], ['pending']);
  deepStrictEqual(
    await s.database.read.selectFrom('inquiries').select('outcome').where('outcome', 'is not', null).execute(),
    [],
  );
});
