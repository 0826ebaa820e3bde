import { deepStrictEqual, notStrictEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { fromUuid } from '#shared/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { forgetOperations } from '../operations.ts';
import { CALL, delivery, RECEIVER, SECRET, testsOn, type Reply, type Scene } from './scene.ts';
import { wrongWith } from './schemas.ts';

const told = ({ status, body }: Reply) => [status, body.error?.code];
const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** What the protocol's document demands of every provider of instances and of events, by its numbers; on every engine. */
export function instancesContract(openOn: (t: TestContext) => Promise<Place>): void {
  const test = testsOn(openOn);
  const managed = (s: Scene) => ({
    read: (id: string) => s.call(`GET /v1/instances/${id}`, { as: s.keys.provisioner }),
    patch: (id: string, body: unknown, key: string = randomUUID()) =>
      s.call(`PATCH /v1/instances/${id}`, { as: s.keys.provisioner, body, key }),
    remove: (id: string) => s.call(`DELETE /v1/instances/${id}`, { as: s.keys.provisioner }),
  });
  /** An instance with a receiver, its id and its credential. */
  const withReceiver = async (s: Scene) => {
    const { body } = await s.provision({ delivery: delivery() });
    return { id: body.instance?.id ?? '', as: body.credential?.token ?? '' };
  };
  const events = (s: Scene, secret?: string) => s.heard(secret).filter(({ type }) => type === 'request.resolved');

  test('[AAP2] [door] provider 8: an instance is made with a credential of its own, read, changed and deleted', async (s) => {
    const { read, patch, remove } = managed(s);
    const made = await s.provision({ instance_name: 'codex-chris-laptop', delivery: delivery() });
    const { instance, credential } = made.body;
    const id = instance?.id ?? '';
    deepStrictEqual(
      [made.status, wrongWith('provisioned', made.body), instance?.name, made.text.includes(SECRET)],
      [201, [], 'codex-chris-laptop', false],
    );
    deepStrictEqual((await read(id)).body, instance);
    const renamed = await patch(id, { instance_name: 'desktop' });
    deepStrictEqual([renamed.status, renamed.body], [200, { ...instance, name: 'desktop' }]);
    const bare = await s.provision();
    deepStrictEqual(wrongWith('provisioned', bare.body), []);
    deepStrictEqual((await s.ask(CALL, 'k', credential?.token)).status, 201);
    const [shown] = await s.open();
    deepStrictEqual([shown?.source.name, shown?.to], ['desktop', ['owner']]);
    const gone = await remove(id);
    deepStrictEqual(
      [gone.status, gone.text, /^[\da-f-]{36}$/.test(gone.headers.get('x-request-id') ?? '')],
      [204, '', true],
    );
    deepStrictEqual(told(await read(id)), [404, 'instance_not_found']);
  });

  test('[AAP2] [SEC1] [door] provider 8: nobody manages an instance but the provisioner that made it', async (s) => {
    const { id, as } = await withReceiver(s);
    const routes = [`GET /v1/instances/${id}`, `PATCH /v1/instances/${id}`, `DELETE /v1/instances/${id}`];
    const met = async (key: string) =>
      Promise.all(
        routes.map(
          async (route) =>
            (await s.call(route, { as: key, key: 'k', body: route.startsWith('P') ? { delivery: null } : undefined }))
              .status,
        ),
      );
    deepStrictEqual(
      [await met(as), await met(s.keys.instance)],
      [
        [403, 403, 403],
        [403, 403, 403],
      ],
    );
    const rival = await s.rival();
    deepStrictEqual(await met(rival), [404, 404, 404]);
    // No source that a provisioner did not make is an instance.
    for (const one of [randomUUID(), 'x'])
      deepStrictEqual(told(await managed(s).read(one)), [404, 'instance_not_found']);
    deepStrictEqual((await managed(s).read(id)).status, 200);
  });

  test('[AAP2] [door] provider 9: an instance is found by its key with its credential for seven days, and by no other input', async (s) => {
    const input = { instance_name: 'one', delivery: delivery() };
    const made = await s.provision(input, 'k');
    const replay = await s.provision(JSON.stringify(input, null, 1), 'k');
    deepStrictEqual([replay.status, replay.body], [200, made.body]);
    deepStrictEqual(told(await s.provision({ instance_name: 'two' }, 'k')), [409, 'idempotency_conflict']);
    deepStrictEqual(told(await s.call('POST /v1/instances', { as: s.keys.provisioner, body: {} })), [
      400,
      'idempotency_key_missing',
    ]);
    // Of the provisioner: another one's key is another key.
    notStrictEqual((await s.provision(input, 'k', await s.rival())).body.instance?.id, made.body.instance?.id);
    const rows = JSON.stringify(await s.database.read.selectFrom('aap_operations').selectAll().execute());
    ok(!rows.includes(made.body.credential?.token ?? '') && !rows.includes(SECRET));
    s.place.pass(7 * DAY_MS);
    await forgetOperations(s.database);
    deepStrictEqual((await s.provision(input, 'k')).body, made.body);
    s.place.pass(DAY_MS + 1);
    await forgetOperations(s.database);
    deepStrictEqual((await s.provision(input, 'k')).status, 201);
  });

  test('[AAP2] [door] provider 11: deletion revokes, cancels what is open and tells nobody, and changes no end', async (s) => {
    const { id, as } = await withReceiver(s);
    const decided = await s.ask(CALL, 'decided', as);
    await s.decide();
    const open = await s.ask(CALL, 'open', as);
    deepStrictEqual((await managed(s).remove(id)).status, 204);
    deepStrictEqual((await s.open()).length, 0);
    deepStrictEqual((await s.call(`GET /v1/requests/${open.body.id}`, { as })).status, 401);
    const ends = await s.database.read.selectFrom('inquiries').select(['id', 'outcome']).orderBy('id').execute();
    deepStrictEqual(
      ends.map((row) => [row.id === fromUuid('inq', decided.body.id ?? ''), row.outcome]),
      [
        [true, 'answered'],
        [false, 'withdrawn'],
      ],
    );
    await s.send();
    deepStrictEqual(events(s), []);
    deepStrictEqual((await s.ask(CALL, 'new', as)).status, 401);
  });

  test('[AAP2] [door] provider 12: changes and deletion may be sent again, and bring back nothing', async (s) => {
    const { read, patch, remove } = managed(s);
    const { body } = await s.provision({ instance_name: 'a' }, 'make');
    const id = body.instance?.id ?? '';
    const first = await patch(id, { instance_name: 'b' }, 'k');
    await patch(id, { instance_name: 'c' }, 'l');
    deepStrictEqual(
      [(await patch(id, { instance_name: 'b' }, 'k')).body, (await read(id)).body.status],
      [first.body, undefined],
    );
    deepStrictEqual((await read(id)).body, { id, name: 'c' });
    deepStrictEqual(told(await patch(id, { instance_name: 'd' }, 'k')), [409, 'idempotency_conflict']);
    deepStrictEqual([(await remove(id)).status, (await remove(id)).status], [204, 204]);
    deepStrictEqual(told(await remove(randomUUID())), [404, 'instance_not_found']);
    deepStrictEqual(told(await patch(id, { instance_name: 'b' }, 'k')), [404, 'instance_not_found']);
    deepStrictEqual(told(await s.provision({ instance_name: 'a' }, 'make')), [409, 'instance_deleted']);
  });

  test('[AAP2] [door] asynchronous 1, 2: a receiver is verified by one signed challenge before anything is written', async (s) => {
    const input = { delivery: delivery() };
    const refusals: [Scene['says']['reply'], string][] = [
      [() => [200], 'empty'],
      [() => [204], 'no echo'],
      [({ challenge }) => [201, JSON.stringify({ challenge })], 'another 2xx'],
      [() => [200, JSON.stringify({ challenge: randomUUID() })], 'another challenge'],
      [({ challenge }) => [200, ` ${challenge}`], 'no object'],
      [() => [302, '', { location: RECEIVER }], 'a redirect'],
      [({ challenge }) => [200, JSON.stringify({ challenge, x: 'x'.repeat(5_000) })], 'too much'],
    ];
    const { reply } = s.says;
    for (const [says, what] of refusals) {
      s.says.reply = says;
      deepStrictEqual([what, ...told(await s.provision(input, 'k'))], [what, 422, 'webhook_verification_failed']);
    }
    deepStrictEqual(
      [s.heard().length, await s.database.read.selectFrom('aap_instances').selectAll().execute()],
      [refusals.length, []],
    );
    s.says.reply = reply;
    const made = await s.provision(input, 'k');
    const [challenge] = s.heard().slice(-1);
    const { good, body, ...message } = challenge!;
    deepStrictEqual(
      [made.status, good, wrongWith('challenge', message), message.instance_id, message.registration_id],
      [201, true, [], made.body.instance?.id, input.delivery.registration_id],
    );
    ok(!body.includes(made.body.credential?.token ?? ''));
    // Nor is it asked again for the same key, nor any two at once.
    await s.provision(input, 'k');
    const together = await Promise.all(
      Array.from({ length: 4 }, () => s.provision({ delivery: { ...input.delivery } }, 'l')),
    );
    deepStrictEqual(
      [
        together.map(({ status }) => status).toSorted((a, b) => a - b),
        new Set(together.map(({ text }) => text)).size,
        s.heard().length,
      ],
      [[200, 200, 200, 201], 1, refusals.length + 2],
    );
    // A replacement that fails leaves the name and the receiver as they were.
    const id = made.body.instance?.id ?? '';
    s.says.reply = () => [500];
    const change = { instance_name: 'new', delivery: delivery({ url: 'https://b.example.com/' }) };
    deepStrictEqual(told(await managed(s).patch(id, change)), [422, 'webhook_verification_failed']);
    deepStrictEqual((await managed(s).read(id)).body, made.body.instance);
  });

  test('[AAP2] [door] asynchronous 8: no address is called that is not public https, and registrations are limited', async (s) => {
    const bad =
      'http://receiver.example.com/ https://u:p@receiver.example.com/ https://receiver.example.com/#a ftp://x.example https://127.0.0.1/ https://[::1]/ https://10.0.0.1/ https://169.254.169.254/ https://2130706433/ https://localhost/ https://hub/ https://db.internal/ https://[::ffff:127.0.0.1]/ https://0x7f.1/'.split(
        ' ',
      );
    for (const url of ['', ...bad])
      deepStrictEqual(
        [url, ...told(await s.provision({ delivery: delivery({ url }) }))],
        [url, 400, 'invalid_webhook_url'],
      );
    deepStrictEqual(told(await s.provision({ delivery: delivery({ type: 'socket' }) })), [
      400,
      'unsupported_delivery_type',
    ]);
    for (const more of [
      { signing_secret: 'whsec_short' },
      { registration_id: 'x' },
      { secret: 'x' },
      { signing_secret: SECRET.replace('=', '') },
    ])
      deepStrictEqual(told(await s.provision({ delivery: delivery(more) })), [400, 'request_invalid']);
    deepStrictEqual(s.urls, []);
    const statuses: (number | null)[][] = [];
    for (let attempt = 0; attempt < 31; attempt++) {
      const { status, headers } = await s.provision({ delivery: delivery({ url: `${RECEIVER}/${attempt}` }) });
      statuses.push([status, status === 429 ? Number(headers.get('retry-after')) : 0]);
    }
    const [last] = statuses.slice(-1);
    deepStrictEqual(
      [statuses.filter(([status]) => status === 201).length, last?.[0], (last?.[1] ?? 0) > 0],
      [30, 429, true],
    );
  });

  test('[AAP2] [door] asynchronous 3, 4: each end of a request is told once, signed, and does not say how it ended', async (s) => {
    const { id, as } = await withReceiver(s);
    const ends = [() => s.decide(), () => s.decide({ type: 'reject' })];
    const requests: string[] = [];
    for (const end of ends) {
      requests.push((await s.ask(CALL, undefined, as)).body.id ?? '');
      await end();
    }
    const cancelled = (await s.ask(CALL, undefined, as)).body.id ?? '';
    await s.call(`DELETE /v1/requests/${cancelled}`, { as });
    // What it asks by another door is no request.
    await s.call(`DELETE /v1/requests/${(await s.ask(CALL, undefined, s.keys.instance)).body.id}`);
    s.says.reply = () => [500];
    await s.send();
    s.says.reply = () => [410];
    s.place.pass(HOUR_MS);
    await s.send();
    s.says.reply = () => [204];
    s.place.pass(2 * HOUR_MS);
    await s.send();
    s.place.pass(2 * HOUR_MS);
    await s.send();
    const told = events(s);
    deepStrictEqual(
      told.map(({ good }) => good),
      Array<boolean>(9).fill(true),
    );
    for (const request of [...requests, cancelled]) {
      const own = told.filter(({ request_id }) => request_id === request);
      const { body, good: _good, ...event } = own[0]!;
      const { decision } = (await s.call(`GET /v1/requests/${request}`, { as })).body;
      deepStrictEqual(
        [
          own.length,
          new Set(own.map((one) => one.body)).size,
          wrongWith('event', event),
          event.instance_id,
          event.created_at,
        ],
        [3, 1, [], id, decision?.decided_at],
      );
      deepStrictEqual(Object.keys(JSON.parse(body) as object), [
        'id',
        'type',
        'instance_id',
        'request_id',
        'created_at',
      ]);
    }
  });

  test('[AAP2] [DLV1] [door] asynchronous 5, 7: an event is tried for seven days and no longer, whatever the history keeps', async (s) => {
    const { as } = await withReceiver(s);
    await s.ask(CALL, undefined, as);
    s.says.reply = () => [410];
    await s.decide();
    for (let round = 0; round < 30; round++) {
      await s.send();
      s.place.pass(6 * HOUR_MS);
    }
    // The last one is at the end of the seven days, not six hours after the one before.
    const { length } = events(s);
    deepStrictEqual(length, 28);
    const [{ state }] = (await s.database.read.selectFrom('deliveries').select('state').execute()) as [
      { state: string },
    ];
    deepStrictEqual([state, (await s.send(), events(s).length)], ['failed', length]);
  });

  test('[AAP2] [DLV1] [door] asynchronous 5: Retry-After is kept to beyond an hour, and a hub that was away too long sends nothing', async (s) => {
    const { as } = await withReceiver(s);
    await s.ask(CALL, undefined, as);
    s.says.reply = () => [429, '', { 'retry-after': '86400' }];
    await s.decide();
    await s.send();
    s.says.reply = () => [204];
    s.place.pass(DAY_MS - HOUR_MS);
    await s.send();
    deepStrictEqual(events(s).length, 1);
    s.place.pass(HOUR_MS + 1_000);
    await s.send();
    deepStrictEqual(events(s).length, 2);
    await s.ask(CALL, undefined, as);
    await s.decide();
    s.place.pass(7 * DAY_MS);
    await s.send();
    deepStrictEqual(events(s).length, 2);
  });

  test('[AAP2] [door] asynchronous 6: what waits moves to a verified replacement, what was told is not told again, and null ends it', async (s) => {
    const { patch } = managed(s);
    const { id, as } = await withReceiver(s);
    await s.ask(CALL, undefined, as);
    await s.decide();
    await s.send();
    s.says.reply = ({ challenge }) => (challenge ? [200, JSON.stringify({ challenge })] : [503]);
    const waiting = (await s.ask(CALL, undefined, as)).body.id;
    await s.decide();
    await s.send();
    const [before] = events(s).slice(-1);
    const until = () =>
      s.database.read.selectFrom('deliveries').select('give_up_at').where('state', '=', 'pending').execute();
    const window = await until();
    const moved = delivery({ url: 'https://b.example.com/events', signing_secret: OTHER });
    deepStrictEqual((await patch(id, { delivery: moved })).status, 200);
    s.says.reply = () => [204];
    deepStrictEqual(await until(), window);
    await s.send();
    const [after] = s.heard(OTHER).slice(-1);
    deepStrictEqual(
      [s.urls.at(-1), after?.good, after?.body, after?.request_id, events(s).length],
      ['https://b.example.com/events', true, before?.body, waiting, 3],
    );
    await s.ask(CALL, undefined, as);
    await s.decide();
    const { name } = (await managed(s).read(id)).body;
    deepStrictEqual((await patch(id, { delivery: null })).body, { id, name });
    s.place.pass(HOUR_MS);
    await s.send();
    deepStrictEqual(events(s).length, 3);
    // Nor does a receiver that is set later hear of what ended without one.
    await s.ask(CALL, undefined, as);
    await s.decide();
    await patch(id, { delivery: delivery() });
    await s.send();
    deepStrictEqual(events(s).length, 3);
  });

  test('[AAP2] [DLV1] [door] a receiver that the owner typed since is sent what every webhook says, and no event', async (s) => {
    const { id, as } = await withReceiver(s);
    const source = fromUuid('src', id) ?? '';
    await s.change(source, { webhookUrl: 'https://c.example.com/' });
    await s.ask(CALL, undefined, as);
    await s.decide();
    const [row] = await s.database.read
      .selectFrom('deliveries')
      .select(['protocol', 'url', 'typed_by_owner'])
      .execute();
    deepStrictEqual(row, { protocol: null, url: 'https://c.example.com/', typed_by_owner: 1 });
    deepStrictEqual(((await managed(s).read(id)).body as { delivery?: unknown }).delivery, undefined);
  });
}
