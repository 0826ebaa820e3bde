import { handToDecider, overrule } from '../automation/deciders/act.ts';
import { createDecider } from '../automation/deciders/config/store.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { Page } from './page.ts';

/** A decider for these sources, which people may hand what they were asked. */
export async function openDecider({ database }: SimHub, madeBy: string, sourceIds: string[]): Promise<void> {
  const made = { kind: 'chat' as const, name: 'Helper', url: 'https://model.example/v1', model: 'm', instructions: '' };
  const { id } = await createDecider({ database, sealingKey: Buffer.alloc(32) }, { ...made, holdSeconds: 5 }, madeBy);
  const decider = JSON.stringify({ id, suggests: false, actions: true, agentMayAsk: false });
  await database.transaction((trx) =>
    trx.updateTable('sources').set({ decider }).where('id', 'in', sourceIds).execute(),
  );
}

/** People who hand what they are asked to the decider, also in place of declining it, and then stop it or send it now. */
export function createHanders(hub: SimHub, chance: Chance) {
  return {
    async hand(page: Page, ids: string[]): Promise<void> {
      const id = chance.pick(ids.filter((one) => page.shows(one)));
      const declines = chance.percent(50) ? {} : undefined;
      if (id !== undefined) await handToDecider(hub.node().deciding, page.answerer(), id, declines);
    },
    async overrule(page: Page): Promise<void> {
      const what = chance.pick(['stop', 'now', 'dismiss'] as const)!;
      const { deciding } = hub.node();
      const one = await deciding.database.read
        .selectFrom('proposals')
        .select('id')
        .orderBy('inquiry_id')
        .limit(1)
        .executeTakeFirst();
      if (one) await overrule(deciding, page.answerer(), one.id, what);
    },
  };
}
