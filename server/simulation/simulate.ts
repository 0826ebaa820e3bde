import { HEARTBEAT_MS } from '#shared/live.ts';
import { openPeople } from '../live/testing/hub.ts';
import { invariantFailures } from '../platform/invariants.ts';
import { chanceFrom } from './chance.ts';
import { drawFaults } from './faults.ts';
import { openHub } from './hub.ts';
import { openDecider } from './deciders.ts';
import { createPage, type Rules, type Shown } from './page.ts';
import { openSources, subscribe, whatWasSent } from './duties.ts';
import { brokenPromises, whatIsLeft } from './promises.ts';
import { comeToRest } from './rest.ts';
import { createStorm } from './storm.ts';

/** Short runs of many seeds find more than long ones of a few. */
const STEPS = [15, 60] as const;
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
  const failedBefore = new Map(invariantFailures());
  const chance = chanceFrom(seed);
  const faults = drawFaults(chance);
  const hub = await openHub(chance, faults);
  const { schedule, outside } = hub;
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
  await openDecider(hub, storm.pages[0]!.device.id, sources.ids.slice(0, 3));

  const beat = () => {
    void hub.beat();
    schedule.after(HEARTBEAT_MS, beat);
  };
  schedule.after(HEARTBEAT_MS, beat);
  for (const page of storm.pages) schedule.after(0, page.connect);
  const steps = chance.between(...STEPS);
  for (let step = 0; step < steps; step++) {
    schedule.after(0, storm.act);
    await schedule.pass(chance.percent(5) ? chance.between(5_000, 20_000) : chance.between(1, 300));
  }

  // All come back and every short deadline passes; half of that news is lost, and only heartbeats can tell.
  faults.heal();
  outside.heal();
  for (const node of hub.nodes) node.standStill(0);
  for (const page of storm.pages) schedule.after(0, page.comeBack);
  await schedule.pass(120_000);
  faults.lost = 50;
  await schedule.pass(2_000);
  faults.lost = 0;
  await schedule.pass(3 * HEARTBEAT_MS);
  const failures = [...(await brokenPromises(hub, storm))];
  await comeToRest(hub, storm.pages);
  failures.push(...(await whatIsLeft(hub, storm)));
  for (const [name, count] of invariantFailures())
    if (count !== failedBefore.get(name)) failures.push(`the invariant ${name} failed`);
  trace.push(...(await whatWasSent(hub)));
  await hub.close();
  return { trace, failures };
}
