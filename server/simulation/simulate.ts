import { HEARTBEAT_MS } from '#shared/live.ts';
import { openPeople } from '../live/testing/hub.ts';
import { chanceFrom } from './chance.ts';
import { openHub } from './hub.ts';
import { createPage, type Rules, type Shown } from './page.ts';
import { openSources, subscribe, whatWasSent } from './duties.ts';
import { brokenPromises } from './promises.ts';
import { createStorm } from './storm.ts';

const STEPS = 200;
const DEVICES = [
  ['Phone', 'owner'],
  ['Laptop', 'owner'],
  ['Desktop', 'owner'],
  ['Tablet', 'alice'],
  ['Watch', 'alice'],
] as const;

/** Runs one seed: what happened, in order, and every promise that was broken. The same seed gives the same. */
export async function simulate<State extends Shown>(
  seed: bigint,
  rules: Rules<State>,
): Promise<{ trace: string[]; failures: string[] }> {
  const chance = chanceFrom(seed);
  const hub = await openHub(chance);
  const { schedule, network } = hub;
  const people = await openPeople(hub.database);
  await people.person('alice');
  const trace: string[] = [];
  const note = (what: string, inquiryId?: string) =>
    void trace.push(`${schedule.now} ${what} ${inquiryId === undefined ? '' : storm.ids.indexOf(inquiryId)}`);
  const sources = await openSources(hub, people);
  const storm = createStorm(hub, chance, sources, note);
  for (const [name, handle] of DEVICES) {
    const device = { ...(await people.device(handle, name)), name };
    await subscribe(hub.database, device);
    storm.pages.push(createPage(device, hub, chance, rules, note));
  }

  const beat = () => {
    void hub.beat();
    schedule.after(HEARTBEAT_MS, beat);
  };
  schedule.after(HEARTBEAT_MS, beat);
  for (const page of storm.pages) schedule.after(0, page.connect);
  for (let step = 0; step < STEPS; step++) {
    schedule.after(0, storm.act);
    await schedule.pass(chance.percent(5) ? chance.between(5_000, 20_000) : chance.between(1, 300));
  }

  // All come back and every short deadline passes; half of that news is lost, and only heartbeats can tell.
  for (const page of storm.pages) schedule.after(0, page.connect);
  await schedule.pass(120_000);
  network.lostShare = 50;
  await schedule.pass(2_000);
  network.lostShare = 0;
  await schedule.pass(3 * HEARTBEAT_MS);
  const failures = await brokenPromises(hub, storm);
  trace.push(...(await whatWasSent(hub)));
  await hub.close();
  return { trace, failures };
}
