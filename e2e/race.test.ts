import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, call, must } from './hub/call.ts';
import { chanceOf } from './hub/chance.ts';
import { differences } from './hub/differences.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { openPage, type Page } from './hub/page.ts';
import { addDevices, addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const INQUIRIES = 300;
const ANSWERS = 5;
const DEVICES = 20;
const AT_ONCE = 10;

type Said = AnswerReply & { device: Device; page: Page | undefined; text: string };
type Round = { id: string; said: Said[]; waited: Resolution | undefined };

race('SQLite', 1);
race('Postgres', 2);

function race(engine: Engine, count: number): void {
  describe(
    `${DEVICES} devices of one person on ${engine}, ${count} node${count > 1 ? 's' : ''}, seed ${count}`,
    { timeout: 240_000 },
    () => {
      const chance = chanceOf(count);
      let hub: Nodes;
      let key: string;
      let devices: Device[];
      let pages: Page[];
      let rounds: Round[];

      before(async () => {
        hub = await startNodes(engine, count);
        const [first] = hub.nodes;
        const owner = await ownerDevice(first);
        devices = [owner, ...(await addDevices(first, owner, DEVICES - 1))];
        ({ key } = await addSource(first, owner, 'Racer'));
        // The first four devices have a second tab, on whichever node.
        const tabs = [...devices, ...devices.slice(0, 4)];
        pages = await Promise.all(tabs.map((device, at) => openPage(nodeOf(at), device)));
        rounds = await runRounds();
      });
      after(async () => {
        pages?.forEach((page) => page.close());
        await hub?.remove();
      });

      const nodeOf = (at: number) => hub.nodes[at % hub.nodes.length] ?? hub.nodes[0];

      async function runRounds(): Promise<Round[]> {
        const done: Round[] = [];
        let next = 0;
        const lane = async (): Promise<void> => {
          for (let at = next++; at < INQUIRIES; at = next++) done.push(await runRound(at));
        };
        await Promise.all(Array.from({ length: AT_ONCE }, lane));
        return done;
      }

      async function runRound(at: number): Promise<Round> {
        const { id } = await must<Inquiry>(nodeOf(at), 'POST /v1/inquiries', {
          token: key,
          body: { prompt: `Which way, for the ${at}th time?`, key: `race-${at}` },
        });
        const waiting = must<Inquiry>(nodeOf(at + 1), `GET /v1/inquiries/${id}?wait=60`, { token: key });
        const said = await Promise.all(
          chance.some(pages.slice(0, DEVICES), ANSWERS).map((page) => answer(id, page, chance.below(2) === 0)),
        );
        return { id, said, waited: (await waiting).resolution };
      }

      async function answer(inquiryId: string, page: Page, live: boolean): Promise<Said> {
        const { device } = page;
        const text = `what ${device.name} says`;
        if (live) {
          const { won, resolution } = await page.send<AnswerReply>('answer', { inquiryId, text });
          return { won, resolution, device, page, text };
        }
        const { body } = await call<AnswerReply>(nodeOf(chance.below(2)), `POST /v1/inquiries/${inquiryId}/answer`, {
          token: device.token,
          body: { text },
        });
        return { won: body.won, resolution: body.resolution, device, page: undefined, text };
      }

      const winnerOf = ({ said }: Round): Said => said.find(({ won }) => won) as Said;

      test('[RES1] [race] each inquiry has exactly one winner, whatever races', () => {
        deepStrictEqual(
          rounds.map(({ said }) => said.filter(({ won }) => won).length),
          Array.from({ length: INQUIRIES }, () => 1),
        );
        const resolutions = rounds.map(({ said }) => said.map(({ resolution }) => ({ ...resolution, at: '' })));
        const expected = rounds.map((round) => {
          const { device, page, text } = winnerOf(round);
          const by = {
            kind: 'person',
            handle: device.handle,
            device: { id: device.id, name: device.name },
            via: page ? 'live' : 'http',
          };
          return round.said.map(() => ({ outcome: 'answered', at: '', answer: { text }, text, by }));
        });
        deepStrictEqual(differences<unknown>(resolutions, expected), []);
      });

      test('[RES2] [race] the 1,200 losers are told who won, when and from which device, and so is the asker', () => {
        const losers = rounds.flatMap((round) =>
          round.said
            .filter(({ won }) => !won)
            .map(({ resolution }) => ({ resolution, winner: winnerOf(round).resolution })),
        );
        deepStrictEqual(losers.length, INQUIRIES * (ANSWERS - 1));
        const told = losers.map(({ resolution }) => resolution);
        const winners = losers.map(({ winner }) => winner);
        deepStrictEqual(differences(told, winners), []);
        const waited = rounds.map((round) => round.waited);
        const won = rounds.map((round) => winnerOf(round).resolution);
        deepStrictEqual(differences(waited, won), []);
      });

      test('[WDR1] [race] every screen but the one that answered is told to withdraw, exactly once', async () => {
        const expected = pages.map((page) =>
          byFirst(
            rounds
              .filter((round) => winnerOf(round).page !== page)
              .map((round): Withdrawn => [round.id, winnerOf(round).resolution]),
          ),
        );
        const total = expected.reduce((sum, { length }) => sum + length, 0);
        await until('every withdraw', () => pages.reduce((sum, page) => sum + page.of('withdraw').length, 0) >= total);
        // What stands behind the last withdraw in each line has come too: nothing more is on its way.
        await Promise.all(pages.map((page) => page.send('sync', {})));
        const told = pages.map((page) =>
          byFirst(page.of('withdraw').map(({ inquiryId, resolution }) => [inquiryId, resolution])),
        );
        const wrong = told.map((withdraws, at) => differences<Withdrawn>(withdraws, expected[at] ?? []));
        deepStrictEqual(
          wrong,
          pages.map(() => []),
        );
        deepStrictEqual(
          pages.map((page) => page.of('snapshot').at(-1)?.inquiries),
          pages.map(() => []),
        );
      });

      test('[RES1] no two devices read another history, and all losers stand in it', async () => {
        const histories = await Promise.all(
          devices.map((device, at) => all<Inquiry>(nodeOf(at), '/v1/history', device.token)),
        );
        const [first = []] = histories;
        deepStrictEqual(
          histories.map((history) => differences(history, first)),
          devices.map(() => []),
        );
        const seen = first.map(({ id, resolution, lost, late }) => ({
          id,
          resolution,
          late,
          lost: byFirst((lost ?? []).map(({ by, text }) => [by.kind === 'person' ? by.device.id : '', text])),
        }));
        const expected = rounds
          .toSorted((a, b) => (a.id < b.id ? 1 : -1))
          .map((round) => {
            const lost = round.said.filter(({ won }) => !won).map(({ device, text }): Lost => [device.id, text]);
            return { id: round.id, resolution: winnerOf(round).resolution, late: undefined, lost: byFirst(lost) };
          });
        deepStrictEqual(differences<unknown>(seen, expected), []);
      });
    },
  );
}

type Lost = [deviceId: string, text: string];
type Withdrawn = [inquiryId: string, resolution: Resolution];

function byFirst<T extends Lost | Withdrawn>(list: T[]): T[] {
  return list.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
