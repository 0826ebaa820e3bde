import assert from 'node:assert/strict';
import type { AnswerReply } from '#shared/answer.ts';
import { readHistory } from '../../reports/history/read.ts';
import type { People, TestHub } from './hub.ts';
import { openReadyPage, until, type TestPage } from './page.ts';

type Size = { devices: number; inquiries: number; answerers: number };

/** Devices of one person, spread over the nodes, answer each inquiry several at a time; everybody must agree on how it ended. */
export async function race(nodes: TestHub[], people: People, { devices, inquiries, answerers }: Size): Promise<void> {
  const on = (at: number) => nodes[at % nodes.length]!;
  const owners = await Promise.all(Array.from({ length: devices }, (_, at) => people.device('owner', `Device ${at}`)));
  const pages = await Promise.all(owners.map(({ token }, at) => openReadyPage(on(at).url, token)));
  const ids: string[] = [];
  const replies = new Map<string, { page: TestPage; reply: AnswerReply }[]>();

  const one = async (round: number) => {
    const id = await people.ask(on(round).inquiries, { prompt: `Question ${round}` });
    ids.push(id);
    await until(() => pages.every((page) => page.shown.has(id)), 'the inquiry everywhere');
    const answering = Array.from({ length: answerers }, (_, at) => pages[(round * 7 + at) % devices]!);
    const told = answering.map(async (page) => ({
      page,
      reply: (await page.send('answer', { inquiryId: id, text: `by ${pages.indexOf(page)}` })) as AnswerReply,
    }));
    replies.set(id, await Promise.all(told));
  };
  const rounds = Array.from({ length: inquiries }, (_, round) => round);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let next = rounds.shift(); next !== undefined; next = rounds.shift()) await one(next);
    }),
  );

  const problems = [...replies.values()].flat().map(({ reply }) => (reply as { problem?: unknown }).problem);
  assert.deepEqual(
    problems.filter((problem) => problem !== undefined),
    [],
  );
  const winners = ids.map((id) => replies.get(id)!.filter(({ reply }) => reply.won));
  assert.deepEqual(
    winners.map(({ length }) => length),
    ids.map(() => 1),
  );
  const resolutions = new Map(ids.map((id, at) => [id, winners[at]![0]!.reply.resolution]));
  for (const [id, told] of replies)
    for (const { reply } of told) assert.deepEqual(reply.resolution, resolutions.get(id));

  for (const page of pages) {
    const others = ids.filter((_, at) => winners[at]![0]!.page !== page);
    await until(() => page.of('withdraw').length >= others.length, 'every withdraw');
    await page.send('sync', {});
    const told = page.of('withdraw').map(({ inquiryId, resolution }) => [inquiryId, resolution] as const);
    assert.deepEqual(told.toSorted(byId), others.map((id) => [id, resolutions.get(id)] as const).toSorted(byId));
    assert.deepEqual(page.of('snapshot').at(-1)?.inquiries, []);
    page.close();
  }
  for (const {
    inquiries: { database },
  } of nodes) {
    const { items } = await readHistory(
      database.read,
      { personId: owners[0]!.personId, deviceId: owners[0]!.id },
      { limit: inquiries + 1 },
    );
    assert.deepEqual(
      new Map(items.map(({ id, resolution }) => [id, resolution])),
      new Map([...resolutions].toSorted(byId).toReversed()),
    );
    assert.deepEqual(
      items.map(({ lost }) => lost?.length),
      ids.map(() => answerers - 1),
    );
  }
}

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
