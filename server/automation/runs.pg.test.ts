import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Ask } from '#shared/inquiry.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { ask } from '../inquiries/ask.ts';
import { readForSource } from '../inquiries/read.ts';
import { openPlace, type Place } from '../inquiries/testing/place.ts';
import { batch, within } from '../platform/steps.ts';
import { databaseFor } from '../platform/testing/database.ts';
import { freshDatabase } from '../platform/testing/postgres.ts';
import { lockRun } from './rules/by-rule.ts';
import { putPolicies } from './rules/change.ts';
import type { Automation } from './automation.ts';
import { createSettling } from './settling.ts';

const RULE: Rule = { name: 'Two of a run', when: { tool: 'Bash', asked: { max: 1 } }, then: 'approve' };
const call = (runId: string): Ask =>
  ({ actions: [{ name: 'Bash', args: {}, allowed: ['approve', 'reject'] }], context: { runId } }) as Ask;

/** Two nodes, each with connections of its own to one Postgres, and a rule that counts what a run has asked. */
async function twoNodes(t: TestContext): Promise<{ p: Place; nodes: Automation[] }> {
  const { url, drop } = await freshDatabase();
  const { place: p, close } = await openPlace(url);
  t.after(close);
  const database = await databaseFor(t, url);
  const here = p.inquiries as Automation;
  const there: Automation = { ...here, database, settling: createSettling(database, () => there) };
  await putPolicies(
    p.database,
    { of: 'person', personId: p.phone.personId },
    { version: 0, rules: [RULE] },
    p.phone.deviceId,
  );
  // Once nobody is connected to it.
  t.after(drop);
  return { p, nodes: [here, there] };
}

async function outcomeOf(p: Place, node: Automation, runId: string): Promise<string> {
  const { inquiryId } = await ask(node, { sourceId: p.sourceId, ask: call(runId), waitMs: 0 });
  return (await readForSource(node, inquiryId, p.sourceId)).resolution?.outcome ?? 'open';
}

test('[POL5] [race] of calls of one run that two nodes ask at once a rule approves as many as it says', async (t) => {
  const { p, nodes } = await twoNodes(t);
  const asks = Array.from({ length: 16 }, (_, at) => outcomeOf(p, nodes[at % 2]!, 'r'));
  deepStrictEqual((await Promise.all(asks)).filter((outcome) => outcome === 'answered').length, 2);
});

test('[POL5] [race] an ask that waits for the count of its run holds up no ask of another run, on its node or another', async (t) => {
  const { p, nodes } = await twoNodes(t);
  const [held, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = nodes[1]!.database.transaction(async (trx) => {
    await within(trx, batch({ locked: lockRun(p.sourceId, 'held') }));
    taken.resolve();
    await held.promise;
  });
  await taken.promise;
  let done = 0;
  const waiting = nodes.map(async (node) => {
    const outcome = await outcomeOf(p, node, 'held');
    done++;
    return outcome;
  });
  // Begun in the same moment: would they share a transaction, they would wait for it.
  const others = Array.from({ length: 12 }, (_, at) => outcomeOf(p, nodes[at % 2]!, `free ${at}`));
  deepStrictEqual([new Set(await Promise.all(others)), done], [new Set(['answered']), 0]);
  held.resolve();
  await holder;
  deepStrictEqual(await Promise.all(waiting), ['answered', 'answered']);
});
