import type { Resolution } from '#shared/answer.ts';
import { isYolo } from '../automation/yolo/store.ts';
import { putPolicies, readPolicies } from '../automation/rules/change.ts';
import { startYolo, stopYolo } from '../automation/yolo/yolo.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Must, Page } from './page.ts';

/** People who change their rules, and start and stop YOLO, on any of their devices and nodes. */
export function createRulers(hub: SimHub, chance: Chance) {
  async function changeRules({ device }: Page): Promise<void> {
    const { database } = hub.node().inquiries;
    const which = { of: 'person' as const, personId: device.personId };
    const { version } = await readPolicies(database, which);
    const tool = `tool ${chance.between(0, 2)}`;
    const rule = { name: `About ${tool}`, when: { tool }, then: chance.pick(['approve', 'ask'] as const)! };
    await putPolicies(database, which, { version, rules: chance.percent(40) ? [] : [rule] }, device.id);
  }

  async function startOrStop({ device }: Page): Promise<void> {
    const { database } = hub.node().inquiries;
    const yolos = hub.node().yolos;
    const on = { id: device.id, person: { id: device.personId } };
    const running = await database.read
      .selectFrom('yolos')
      .select('id')
      .where('person_id', '=', device.personId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (running) await stopYolo(yolos, on, running.id);
    else await startYolo(yolos, on, { calls: 'approve', until: chance.between(1, 60) });
  }
  return { changeRules, startOrStop };
}

/** POL5, POL6: what settled by itself was settled by a rule or YOLO that stood at that very commit, and counted. */
export async function checkPolicies({ database: { read }, witness }: SimHub, must: Must): Promise<void> {
  for (const { id, resolution, rule, rules, yolos } of await witness.settled()) {
    const { by } = JSON.parse(resolution) as Resolution;
    if (by.kind !== 'policy') continue;
    const stood = isYolo(by.ruleId) ? yolos.includes(by.ruleId) : rules.includes(rule);
    must(stood, `POL5: it was settled by "${by.label}", which stood no more`, id);
  }
  const settled = await read.selectFrom('inquiries').select('resolution').where('rule', 'is not', null).execute();
  const ids = settled.map((row) => (JSON.parse(row.resolution ?? '{}') as Partial<Resolution>).by);
  for (const { id, settled_count } of await read.selectFrom('yolos').select(['id', 'settled_count']).execute()) {
    const count = ids.filter((by) => by?.kind === 'policy' && by.ruleId === id).length;
    must(count === Number(settled_count), `POL6: a YOLO settled ${count} and counts ${settled_count}`);
  }
}
