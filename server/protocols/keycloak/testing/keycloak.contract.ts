import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { putPolicies } from '../../../automation/rules/change.ts';
import { startYolo } from '../../../automation/yolo/yolo.ts';
import { replay } from '../../../deliveries/again.ts';
import { LEASE_MS } from '../../../deliveries/worker.ts';
import { sweep } from '../../../inquiries/expire.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { withdrawRevoked } from '../../../inquiries/withdraw.ts';
import { TooMany } from '../../../platform/http/rate-limits.ts';
import { pauseWebhooks } from '../../../sources/pause.ts';
import { removeSource } from '../../../sources/store.ts';
import { ensureSource } from '../routes.ts';
import { SENT } from './realm.ts';
import { openScene } from './scene.ts';

/** How a realm is asked for, answered and told, on either engine. */
export function keycloakContract(place: (t: TestContext) => Promise<Place>): void {
  const scenes = (title: string, work: (s: Awaited<ReturnType<typeof openScene>>) => Promise<void>): void =>
    void test(title, async (t) => work(await openScene(t, await place(t))));

  scenes('[CIB1] what Keycloak sends is asked of the person who is tied to its user', async (s) => {
    const { correlation, digest: _, source, ...asked } = await s.begin('request-1');
    const host = new URL(s.realm.issuer).host;
    const { title, prompt, actions, rules, escalate, to, validFor, assurance } = asked;
    deepStrictEqual(
      { title, prompt, actions, rules, escalate, to, assurance },
      {
        title: 'W4SCT: Sign in at till?',
        prompt:
          'Does your other screen show this?\n\n# `W4SCT`\n\nIf it shows something else, or you began nothing there, say no.',
        actions: [
          {
            name: 'sign_in',
            args: {
              client: 'till',
              realm: s.realm.issuer,
              user: 'anna',
              binding_message: 'W4SCT',
              scope: SENT.scope,
              more: { terminal: 'counter 3' },
            },
            description: `\`till\` signs you in as \`anna\` of \`${s.realm.issuer}\`.\n\nIt may then:\n\n- know which account you are\n- read your name and profile\n- \`till.refund\``,
            allowed: ['approve', 'reject'],
            options: [
              { id: 'yes', label: 'Yes, sign me in', type: 'approve' },
              { id: 'no', label: 'No', type: 'reject' },
            ],
            caution: true,
          },
        ],
        rules: 'none',
        escalate: [],
        to: [s.phone.handle],
        assurance: undefined,
      },
    );
    deepStrictEqual(source.name, `Keycloak ${host}/realms/main`);
    deepStrictEqual(correlation, undefined);
    // Shortly before the token runs out, and nothing moves it.
    const seconds = (Date.parse(asked.deadlineAt) - Date.parse(asked.openedAt)) / 1000;
    // By the clock of the machine, which goes on between the token and the ask.
    for (const left of [seconds, validFor ?? 0]) ok(left > 110 && left <= 115, String(left));
    deepStrictEqual(asked.latestAt, asked.deadlineAt);
  });

  for (const [type, status] of [
    ['approve', 'SUCCEED'],
    ['reject', 'CANCELLED'],
  ] as const)
    scenes(`[CIB1] [CIB2] a person's ${type} is told the realm once`, async (s) => {
      await s.decide(await s.begin('request-1'), type);
      const node = s.node();
      await node.runDue();
      await node.runDue();
      deepStrictEqual(s.realm.heard, [status]);
      deepStrictEqual(s.realm.requests.get('request-1'), status);
      deepStrictEqual(await s.told(), [{ type: 'inquiry.resolved', state: 'delivered', status: 200, error: null }]);
    });

  scenes(
    '[CIB1] a deadline that passed is told the realm as no while its token holds, and a late yes is not',
    async (s) => {
      const asked = await s.begin('request-1');
      s.pass(116_000);
      await sweep(s.inquiries);
      deepStrictEqual((await s.answer(asked.id, { ...decision(asked), late: true })).won, false);
      await s.node().runDue();
      deepStrictEqual(s.realm.heard, ['UNAUTHORIZED']);
      deepStrictEqual(await s.told(), [{ type: 'inquiry.resolved', state: 'delivered', status: 200, error: null }]);
    },
  );

  scenes('[CIB1] [LIV4] the same request again asks nobody anew, and one with other words is refused', async (s) => {
    const token = await s.realm.token('request-1', s.database.clock.now());
    const again = await Promise.all([1, 2, 3].map(() => s.send(token)));
    deepStrictEqual(again, [201, 201, 201]);
    s.realm.store('request-1');
    const [asked, ...more] = await s.open();
    deepStrictEqual(more, []);
    deepStrictEqual(await s.send(token, { ...SENT, binding_message: 'OTHER' }), 409);
    // What is more than a node can do is refused here too (LIV4).
    const { enter } = s.asks;
    s.asks.enter = () => {
      throw new TooMany('hub.overloaded', 'Too much.', 3, 503);
    };
    deepStrictEqual(await s.send(token), 503);
    s.asks.enter = enter;
    await s.decide(asked!, 'approve');
    deepStrictEqual(await s.send(token), 201);
    deepStrictEqual(await s.open(), []);
    await s.node().runDue();
    deepStrictEqual(s.realm.heard, ['SUCCEED']);
  });

  scenes(
    '[CIB1] neither a handle, a group nor another user is asked in the place of whom the owner tied',
    async (s) => {
      const { handle } = s.phone;
      const other = (user: string, sub = '7a1c0000-0000-4000-8000-000000000000') =>
        s.realm
          .token(`request-${user}`, s.database.clock.now(), { sub })
          .then((token) => s.send(token, { ...SENT, login_hint: user }));
      deepStrictEqual(await Promise.all([other(handle), other('owner'), other('nobody')]), [404, 404, 404]);
      deepStrictEqual(await s.open(), []);
      // Also by the name of the user, where the owner tied that.
      await s.database.transaction((trx) => trx.updateTable('people').set({ jwt_subject: 'anna' }).execute());
      deepStrictEqual(await other('anna'), 201);
    },
  );

  scenes('[CIB2] an answer that comes before the realm stored its request is told a little later', async (s) => {
    const token = await s.realm.token('request-1', s.database.clock.now());
    await s.send(token);
    await s.decide((await s.open())[0]!, 'approve');
    const node = s.node();
    await node.runDue();
    s.realm.store('request-1');
    s.pass(5_000);
    await node.runDue();
    deepStrictEqual(s.realm.heard, ['SUCCEED', 'SUCCEED']);
    deepStrictEqual(s.realm.requests.get('request-1'), 'SUCCEED');
    deepStrictEqual(await s.told(), [
      { type: 'inquiry.resolved', state: 'delivered', status: 403, error: null },
      { type: 'inquiry.resolved', state: 'delivered', status: 200, error: null },
    ]);
  });

  scenes('[CIB2] what the realm refuses later than that is not sent again', async (s) => {
    const asked = await s.begin('request-1');
    s.realm.requests.delete('request-1');
    s.pass(21_000);
    await s.decide(asked, 'approve');
    const node = s.node();
    await node.runDue();
    s.pass(10_000);
    await node.runDue();
    deepStrictEqual(s.realm.heard, ['SUCCEED']);
    deepStrictEqual(await s.told(), [{ type: 'inquiry.resolved', state: 'failed', status: 403, error: null }]);
  });

  for (const [what, serve, attempt] of [
    ['a connection that breaks off', (response) => response.destroy(), { status: null, error: 'connection closed' }],
    ['a 503', (response) => response.writeHead(503, { 'retry-after': '1' }).end(), { status: 503, error: null }],
    ['a redirect', (response) => response.writeHead(307).end(), { status: 307, error: 'refused: redirect' }],
  ] as [string, (response: ServerResponse) => unknown, object][])
    scenes(`[CIB2] after ${what} in place of an answer nothing is sent again, by whomever`, async (s) => {
      await s.decide(await s.begin('request-1'), 'approve');
      // It took the answer; only the reply is lost.
      s.realm.serve.callback = (response, take) => (take(), serve(response));
      const node = s.node();
      await node.runDue();
      s.pass(6_000);
      await node.runDue();
      const [{ id } = { id: '' }] = await s.database.read.selectFrom('deliveries').select('id').execute();
      const viewer = {
        sourceId: (await s.database.read.selectFrom('deliveries').select('source_id').executeTakeFirstOrThrow())
          .source_id,
      };
      await rejects(replay(s.database, { id, viewer, now: s.database.clock.now() }), {
        status: 409,
        code: 'delivery.ended',
      });
      await node.runDue();
      deepStrictEqual(s.realm.heard, ['SUCCEED']);
      deepStrictEqual(s.realm.requests.get('request-1'), 'SUCCEED');
      deepStrictEqual(await s.told(), [{ type: 'inquiry.resolved', state: 'failed', ...attempt }]);
    });

  scenes(
    '[CIB2] [crash] a node that died while it told the realm is not followed by another that tells it again',
    async (s) => {
      await s.decide(await s.begin('request-1'), 'approve');
      const began = Promise.withResolvers<void>();
      // Its process ends here: what it began is never settled.
      const dead = s.node({
        post: ({ signal }) => {
          began.resolve();
          return new Promise((done) => signal?.addEventListener('abort', () => done({ error: 'stopped' })));
        },
      });
      void dead.runDue();
      await began.promise;
      s.pass(LEASE_MS + 1);
      await s.node().runDue();
      deepStrictEqual(s.realm.heard, []);
      deepStrictEqual(await s.told(), [
        {
          type: 'inquiry.resolved',
          state: 'failed',
          status: null,
          error: 'perhaps it arrived: a second answer would undo the first',
        },
      ]);
    },
  );

  scenes('[CIB2] [crash] an answer that nobody began to tell is told by the next node', async (s) => {
    await s.decide(await s.begin('request-1'), 'approve');
    const gone = s.node();
    await gone.stop(0);
    await s.node().runDue();
    deepStrictEqual(s.realm.heard, ['SUCCEED']);
  });

  scenes('[CIB2] a realm that cannot be connected to is tried again, and not once its token has run out', async (s) => {
    await s.decide(await s.begin('request-1'), 'approve');
    let up = false;
    const node = s.node({ post: async () => (up ? { status: 200 } : { error: 'connection refused' }) });
    await node.runDue();
    s.pass(5_000);
    up = true;
    await node.runDue();
    await s.decide(await s.begin('request-2'), 'approve');
    up = false;
    await node.runDue();
    s.pass(121_000);
    up = true;
    await node.runDue();
    const resolved = { type: 'inquiry.resolved', status: null };
    deepStrictEqual(await s.told(), [
      { ...resolved, state: 'delivered', error: 'connection refused' },
      { ...resolved, state: 'delivered', status: 200, error: null },
      { ...resolved, state: 'failed', error: 'connection refused' },
      { ...resolved, state: 'failed', error: 'its token has run out' },
    ]);
  });

  scenes('[CIB1] a token goes to its own realm alone, wherever the webhooks of its source go', async (s) => {
    const asked = await s.begin('request-1');
    await s.database.transaction((trx) =>
      trx
        .updateTable('sources')
        .set({ webhook_url: 'https://elsewhere.example/' })
        .where('issuer', 'is not', null)
        .execute(),
    );
    await s.decide(asked, 'approve');
    await s.node({ issuers: [] }).runDue();
    deepStrictEqual((await s.told())[0]?.error, 'refused: not one of KEYCLOAK_ISSUERS');
    s.pass(5_000);
    const urls: string[] = [];
    await s.node({ post: async ({ url }) => (urls.push(url), { status: 200 }) }).runDue();
    deepStrictEqual(urls, [`${s.realm.issuer}/protocol/openid-connect/ext/ciba/auth/callback`]);
    const stored = await s.database.read.selectFrom('inquiries').select('transport').executeTakeFirstOrThrow();
    ok(!stored.transport.includes('eyJ'), 'the token is sealed');
  });

  scenes(
    '[CIB1] no rule, no YOLO and no usual escalation of its source answers a sign-in or asks another',
    async (s) => {
      const { personId, deviceId, handle } = s.phone;
      const rules = [{ name: 'all', when: { tool: 'sign_in' }, then: { reject: 'Not here.' } }];
      await putPolicies(s.database, { of: 'hub', personId }, { version: 0, rules }, deviceId);
      const person = { id: personId, handle, name: '', owner: true, locale: undefined };
      const yolos = { database: s.database, announce: () => undefined, wakePushes: () => undefined };
      await startYolo(yolos, { id: deviceId, person }, { calls: 'approve', until: 60 });
      const escalate = JSON.stringify([{ after: 1, to: ['ben'] }]);
      await s.database.transaction((trx) => trx.updateTable('sources').set({ escalate }).execute());
      const { state, escalate: then } = await s.begin('request-1');
      deepStrictEqual([state, then], ['open', []]);
    },
  );

  scenes(
    '[CIB1] [CIB2] a realm whose source the owner removed is told no, also where a yes was under way, and asks nobody until a start of the hub makes it anew',
    async (s) => {
      await s.decide(await s.begin('request-0'), 'approve');
      const asked = await s.begin('request-1');
      await s.database.transaction((trx) => pauseWebhooks(trx, asked.source.id, true, s.database.clock.now()));
      await removeSource(s.database, asked.source.id);
      await withdrawRevoked(s.inquiries, asked.source.id);
      const token = await s.realm.token('request-2', s.database.clock.now());
      deepStrictEqual(await s.send(token), 401);
      await s.node().runDue();
      deepStrictEqual([await s.open(), s.realm.heard], [[], ['UNAUTHORIZED', 'UNAUTHORIZED']]);
      await ensureSource(s.database, s.realm.issuer);
      deepStrictEqual(await s.send(token), 201);
    },
  );

  scenes('[CIB1] three sign-ins of a person wait at once, and a fourth is refused', async (s) => {
    for (const id of ['one', 'two', 'three']) await s.begin(id);
    const now = s.database.clock.now();
    deepStrictEqual(await s.send(await s.realm.token('four', now)), 429);
    deepStrictEqual(await s.send(await s.realm.token('two', now)), 201);
    await s.decide((await s.open())[0]!, 'reject');
    deepStrictEqual(await s.send(await s.realm.token('four', now)), 201);
  });
}

const decision = ({ digest }: { digest: string }) => ({
  decisions: [{ type: 'approve' as const, optionId: 'yes' }],
  digest,
});
