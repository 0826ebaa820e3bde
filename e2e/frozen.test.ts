import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Nodes } from './hub/nodes.ts';
import { addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

/** What a busy machine may add to an ordinary call. */
const ANSWERED_WITHIN_MS = 4_000;
const BURST = 40;
/** Between two steps of a transaction for longer than a running node is. */
const IN_TRANSACTION = `select 1 from pg_stat_activity where datname = current_database()
  and state = 'idle in transaction' and state_change < clock_timestamp() - interval '300 ms'`;
/** No session of a running node says anything for so long. */
const SETTLED_MS = 500;

describe('a node that freezes in a burst, on Postgres', { timeout: 240_000 }, () => {
  let nodes: Nodes;
  let frozen: Hub;
  let other: Hub;
  let alice: Device;
  let key: string;
  let postgres: pg.Client;
  before(async () => {
    nodes = await startNodes('Postgres', 2);
    postgres = new pg.Client({ connectionString: nodes.databaseUrl });
    await postgres.connect();
    [frozen, other] = nodes.nodes as [Hub, Hub];
    const owner = await ownerDevice(frozen);
    alice = await addPerson(frozen, owner, 'alice');
    // With a webhook an ask is two steps: without one its transaction is a single message, which no node can stop half-way.
    const more = { mayAsk: ['owner', 'alice'], webhookUrl: 'http://127.0.0.1:9/' };
    ({ key } = await addSource(frozen, owner, 'Asker', more));
  });
  after(async () => {
    await postgres?.end();
    await nodes?.remove();
  });

  const ask = (hub: Hub, to: string) =>
    call<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { to: [to], prompt: 'Ship?' } });

  /** Freezes the node between two steps of its transactions. */
  async function freezeInTransaction(): Promise<ReturnType<typeof ask>[]> {
    return until('it to freeze in a transaction', async () => {
      const cut = Array.from({ length: BURST }, () => ask(frozen, 'owner'));
      // Some of the burst is through, most of it is not.
      await Promise.race(cut);
      await frozen.signal('SIGSTOP');
      const stoppedAt = performance.now();
      const found = await until('it to stand in a transaction, or not', async () => {
        const { rowCount } = await postgres.query(IN_TRANSACTION);
        return rowCount ? 'in a transaction' : performance.now() - stoppedAt > SETTLED_MS && 'outside';
      });
      if (found === 'in a transaction') return cut;
      await frozen.signal('SIGCONT');
      await Promise.all(cut);
      return undefined;
    });
  }

  test('everybody is asked and read on the other node, and it goes on when it thaws', async () => {
    for (let round = 1; round <= 2; round += 1) {
      const cut = await freezeInTransaction();
      const blocked = Array.from({ length: BURST }, () => ask(other, 'owner'));
      const end = performance.now() + 3_000;
      while (performance.now() < end) {
        const began = performance.now();
        const [ready, asked, again, inbox] = await Promise.all([
          call(other, 'GET /readyz'),
          ask(other, 'alice'),
          ask(other, 'owner'),
          call<{ items: Inquiry[] }>(other, 'GET /v1/inbox', { token: alice.token }),
        ]);
        const took = performance.now() - began;
        deepStrictEqual(
          [ready.status, asked.status, again.status, inbox.status, took < ANSWERED_WITHIN_MS],
          [200, 201, 201, 200, true],
          `${took} ms`,
        );
      }
      const statuses = (await Promise.all(blocked)).map(({ status }) => status);
      await frozen.signal('SIGCONT');
      // What it was doing is done once more, or refused where its commit may have been lost on the way.
      const late = (await Promise.all(cut)).filter(({ status }) => status !== 201 && status !== 503);
      deepStrictEqual([new Set(statuses), late], [new Set([201]), []]);
      await until('it to go on', async () => (await ask(frozen, 'owner')).status === 201);
    }
    const { items } = await must<{ items: Inquiry[] }>(frozen, 'GET /v1/inbox?limit=100', { token: alice.token });
    deepStrictEqual(items.length > 3, true);
  });
});
