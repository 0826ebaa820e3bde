import { HEARTBEAT_MS } from '#shared/live.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { sweep } from '../inquiries/expire.ts';
import { extendInquiry } from '../inquiries/extend.ts';
import { readSnapshot } from '../inquiries/inbox.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { openPeople } from '../live/testing/hub.ts';
import { iso } from '../platform/clock.ts';
import { chanceFrom } from './chance.ts';
import { openHub, type SimHub } from './hub.ts';
import { createPage, type Known, type Page, type Rules } from './page.ts';

const DEVICES = [
  ['Phone', 'owner'],
  ['Laptop', 'owner'],
  ['Desktop', 'owner'],
  ['Tablet', 'alice'],
  ['Watch', 'alice'],
] as const;

export type Run = { trace: string[]; failures: string[] };

/** Runs one seed: what happened, in order, and every promise that was broken. The same seed gives the same. */
export async function simulate<State extends Known>(seed: bigint, rules: Rules<State>, steps = 200): Promise<Run> {
  const chance = chanceFrom(seed);
  const hub = await openHub(chance);
  const { schedule, inquiries, failures } = hub;
  const people = await openPeople(hub.database);
  await people.person('alice');
  const trace: string[] = [];
  const ids: string[] = [];
  const deadlines = new Set<number>();
  const note = (what: string, inquiryId?: string) => void trace.push(`${schedule.now} ${what} ${inquiryId === undefined ? '' : ids.indexOf(inquiryId)}`);
  const pages: Page[] = [];
  for (const [name, handle] of DEVICES) pages.push(createPage(hub, chance, { ...(await people.device(handle, name)), name }, rules, note));

  /** What refuses is an outcome here, what breaks is not. */
  const attempt = (what: string, work: Promise<unknown>) =>
    void work.then(
      () => note(what),
      (error: unknown) => (error instanceof AppError ? note(`${what}: ${error.code}`) : failures.push(`${what}: ${String(error)}`)),
    );
  const shownOn = (page: Page) => ids.filter((id) => page.open().includes(id));

  const actions: [share: number, act: () => void][] = [
    [30, open],
    [30, () => race(chance.pick(ids.filter((id) => pages.some((page) => page.open().includes(id)))))],
    [6, () => answerAgain(chance.pick(pages)!)],
    [6, () => ids.length > 0 && attempt('withdraw', withdrawInquiry(inquiries, people.sourceId, chance.pick(ids)!))],
    [6, () => extend(chance.pick(pages)!)],
    [10, () => leave(chance.pick(pages)!, 20_000)],
    [8, () => attempt('sweep', sweep(inquiries))],
    [4, crash],
  ];

  function open(): void {
    const to = chance.pick([['owner'], ['alice'], ['owner', 'alice']])!;
    // No two at one moment: which of them is swept first would be the machine's affair.
    let deadline = schedule.now + (chance.percent(40) ? chance.between(2_000, 40_000) : 86_400_000);
    while (deadlines.has(deadline)) deadline++;
    deadlines.add(deadline);
    const times = { deadline: iso(deadline), latest: iso(deadline + 30_000) };
    attempt('ask', ask(inquiries, { sourceId: people.sourceId, ask: { to, prompt: 'Ship it?', ...times }, waitMs: 0 }).then(({ inquiryId }) => ids.push(inquiryId)));
  }
  function race(id: string | undefined): void {
    const showing = pages.filter((page) => id !== undefined && page.open().includes(id));
    for (const page of showing) if (chance.percent(60)) page.answer(id!, false);
  }
  function answerAgain(page: Page): void {
    const id = chance.pick(ids.filter((one) => page.fates().has(one)));
    if (id !== undefined) page.answer(id, chance.percent(50));
  }
  function extend(page: Page): void {
    const id = chance.pick(shownOn(page));
    const { device } = page;
    const answerer = { deviceId: device.id, deviceName: device.name, personId: device.personId, handle: '', via: 'live' as const };
    if (id !== undefined) attempt('extend', extendInquiry(inquiries, answerer, id, chance.between(1, 60)));
  }
  function leave(page: Page, most: number): void {
    page.disconnect();
    schedule.after(chance.between(100, most), page.connect);
  }
  function crash(): void {
    open();
    race(chance.pick(ids));
    hub.crash();
    for (const page of pages) schedule.after(chance.between(200, 3000), page.connect);
  }
  function every(ms: number, act: () => void): void {
    schedule.after(ms, () => {
      act();
      every(ms, act);
    });
  }
  function act(): void {
    let roll = chance.between(1, 100);
    for (const [share, one] of actions) if (roll > 0 && (roll -= share) <= 0) one();
  }

  every(HEARTBEAT_MS, () => void hub.beat());
  for (const page of pages) schedule.after(0, page.connect);
  for (let step = 0; step < steps; step++) {
    schedule.after(0, act);
    await schedule.pass(chance.percent(5) ? chance.between(5_000, 20_000) : chance.between(1, 300));
  }
  hub.calm = true;
  // Who is connected stays so: what was lost on the way must come by a heartbeat, not by a new line.
  for (const page of pages) schedule.after(0, page.connect);
  await schedule.pass(120_000);
  schedule.after(0, () => attempt('sweep', sweep(inquiries)));
  await schedule.pass(3 * HEARTBEAT_MS);
  failures.push(...(await brokenPromises(hub, pages, ids)));
  await hub.close();
  return { trace, failures };
}

/** What must hold once the network is calm, whatever happened before. */
async function brokenPromises(hub: SimHub, pages: Page[], ids: string[]): Promise<string[]> {
  const broken: string[] = [];
  const must = (holds: boolean, promise: string, id?: string) => {
    if (!holds) broken.push(`${promise}${id === undefined ? '' : ` (inquiry ${ids.indexOf(id)})`}`);
  };
  const { read } = hub.database;
  const all = await read.selectFrom('inquiries').select(['id', 'resolution', 'outcome', 'resolved_at', 'deadline_at']).execute();
  const rows = new Map(all.map(({ id, resolution }) => [id, resolution]));
  for (const { id, outcome, resolved_at, deadline_at } of all) {
    if (resolved_at !== null) must(resolved_at < deadline_at === (outcome !== 'expired'), `RES1: it was ${outcome} on the wrong side of its deadline`, id);
  }
  const kept = new Set((await read.selectFrom('answers').select('id').execute()).map(({ id }) => id));
  must(new Set(hub.resolved).size === hub.resolved.length, 'RES1: an inquiry was resolved twice');
  for (const id of ids) must(rows.has(id), 'ASK1: an acknowledged inquiry is gone', id);

  const won = new Map<string, string>();
  for (const page of pages) {
    const { device } = page;
    const { inquiries, version } = await readSnapshot(hub.inquiries, { personId: device.personId, deviceId: device.id });
    const open = inquiries.map(({ id }) => id);
    must(sameSet(page.open(), open), `LIV1: ${device.name} shows ${page.open().length}, open are ${open.length}`);
    must(page.floor() === version, `LIV1: ${device.name} stands at ${page.floor()}, its person at ${version}`);
    for (const [id, fate] of page.fates()) must(JSON.stringify(fate) === rows.get(id), `RES2: ${device.name} knows another resolution`, id);
    for (const { inquiryId, body, replies } of page.answered) {
      must(replies.length > 0, `RES2: ${device.name} was never told what became of its answer`, inquiryId);
      must(kept.has(body.answerId), `ASK1: an answer of ${device.name} is gone`, inquiryId);
      must(new Set(replies.map((reply) => JSON.stringify(reply))).size <= 1, `RES2: ${device.name} was told two things about one answer`, inquiryId);
      for (const { resolution } of replies) must(JSON.stringify(resolution) === rows.get(inquiryId), `RES2: ${device.name} was told another resolution`, inquiryId);
      if (!replies[0]?.won) continue;
      must(!won.has(inquiryId), 'RES1: two answers were told they won', inquiryId);
      won.set(inquiryId, body.answerId);
    }
  }
  for (const [id, resolution] of rows) must(won.has(id) === (resolution?.includes('"outcome":"answered"') ?? false), 'RES1: an answered inquiry and its winner disagree', id);
  return broken;
}

function sameSet(a: string[], b: string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}
