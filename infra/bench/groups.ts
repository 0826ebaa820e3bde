import { createGroup } from '../../server/people/groups.ts';
import type { Database } from '../../server/platform/database.ts';
import { send } from './calls.ts';
import { quantile } from './machine.ts';
import type { Size } from './measure.ts';
import type { Row } from './report.ts';
import { enrol, newKey, runHub } from './target.ts';

const SOURCES = 20;
const MEMBERS = 20;
const SHARED = 'shared';

type Asking = { keys: string[] };

/** The rate at which 20 sources at once ask one group of 20 people and withdraw again; `bare`: each a group of its own. */
export async function measureGroups(
  engine: Row['engine'],
  databaseUrl: string | undefined,
  { rounds, warmCycles, togetherMs }: Size,
): Promise<Row> {
  const hub = await runHub({ databaseUrl }, makeGroups);
  try {
    const rate = async (groupOf: (source: number) => string, done: (asked: number) => boolean) => {
      const begun = performance.now();
      let asked = 0;
      const each = hub.keys.map(async (key, source) => {
        while (!done(asked)) {
          const question = { to: [groupOf(source)], prompt: `Question ${Math.random()}` };
          const { id } = await send<{ id: string }>(hub, '/v1/inquiries', key, question);
          await send(hub, `/v1/inquiries/${id}/withdraw`, key, {});
          asked++;
        }
      });
      await Promise.all(each);
      return (asked * 1000) / (performance.now() - begun);
    };
    const own = (source: number) => `group${source}`;
    await rate(own, (asked) => asked > warmCycles / 2);
    await rate(
      () => SHARED,
      (asked) => asked > warmCycles / 2,
    );
    const rates: { shared: number; own: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const until = () => {
        const end = performance.now() + togetherMs;
        return () => performance.now() > end;
      };
      rates.push({ own: await rate(own, until()), shared: await rate(() => SHARED, until()) });
    }
    return {
      name: '20 sources that ask one group of 20',
      engine,
      value: quantile(
        rates.map(({ shared }) => shared),
        0.5,
      ),
      unit: '/s',
      bare: quantile(
        rates.map((round) => round.own),
        0.5,
      ),
      ratioToBare: quantile(
        rates.map((round) => round.shared / round.own),
        0.5,
      ),
    };
  } finally {
    await hub.stop();
  }
}

async function makeGroups(database: Database): Promise<Asking> {
  const keys: string[] = [];
  const group = async (handle: string) => {
    const members: string[] = [];
    for (let at = 0; at < MEMBERS; at++) members.push((await enrol(database, `${handle}-${at}`, 1)).handle);
    await createGroup(database, { handle, members });
  };
  for (let at = 0; at < SOURCES; at++) {
    keys.push(await newKey(database));
    await group(`group${at}`);
  }
  await group(SHARED);
  return { keys };
}
