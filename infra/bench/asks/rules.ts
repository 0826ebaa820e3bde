import { newId } from '../../../shared/ids.ts';
import { RULES_MAX, type Rule } from '../../../shared/policies/rule.ts';
import type { Database } from '../../../server/platform/database.ts';
import { putPolicies } from '../../../server/automation/rules/change.ts';
import { send } from '../calls.ts';
import { cpuMs, quantile } from '../machine.ts';
import type { Size } from '../measure.ts';
import type { Row } from '../report.ts';
import { enrol, newKey, runHub } from '../target.ts';

const ASK = {
  actions: [
    {
      name: 'Bash',
      args: { command: 'npm run build && git status', path: '/srv/app/a.ts' },
      allowed: ['approve', 'reject'],
    },
  ],
  context: { agent: 'Claude Code', runId: '482' },
};
/**
 * Whose rules are looked at: of one person all that a list holds, of one a single one that counts what its run has asked,
 * of one none; and the same ask that no rule may answer.
 */
const KINDS = {
  many: { ...ASK, to: ['many'] },
  counting: { ...ASK, to: ['counting'] },
  none: { ...ASK, to: ['none'] },
  unruled: { ...ASK, to: ['none'], rules: 'none' },
} as const;
type Kind = keyof typeof KINDS;

/** Asks of one kind before those of the next. */
const TURN = 10;

/**
 * How long an ask takes that 1,000 rules look at, none of which fits, more than one of somebody without rules; and what
 * that one takes, with the same ask that no rule may answer as `bare`. They are asked in turn.
 */
export async function measureRules(
  engine: Row['engine'],
  databaseUrl: string | undefined,
  { rounds, warmCycles, aloneCycles }: Size,
): Promise<Row[]> {
  const hub = await runHub({ databaseUrl }, makeRules);
  try {
    const ask = async (kind: Kind): Promise<number> => {
      const begun = performance.now();
      const { id, resolution } = await send<{ id: string; resolution?: object }>(
        hub,
        '/v1/inquiries',
        hub.key,
        KINDS[kind],
      );
      const ms = performance.now() - begun;
      if (resolution) throw new Error('A rule answered, but none of them was to fit.');
      await send(hub, `/v1/inquiries/${id}/withdraw`, hub.key, {});
      return ms;
    };
    const times: Record<Kind, number[]> = { many: [], counting: [], none: [], unruled: [] };
    const cpu: Record<Kind, number[]> = { many: [], counting: [], none: [], unruled: [] };
    for (let at = -warmCycles / 2; at < rounds * aloneCycles; at += TURN)
      for (const kind of Object.keys(KINDS) as Kind[]) {
        const before = cpuMs(hub.pid);
        const turn = [];
        while (turn.length < TURN) turn.push(await ask(kind));
        if (at < 0) continue;
        times[kind].push(...turn);
        cpu[kind].push((cpuMs(hub.pid) - before) / TURN);
      }
    const more = (kind: Kind, of: typeof times) => quantile(of[kind], 0.5) - quantile(of.none, 0.5);
    const [none, unruled] = [quantile(times.none, 0.5), quantile(times.unruled, 0.5)];
    return [
      { name: 'p50 of an ask, more with 1000 rules', engine, value: more('many', times), unit: 'ms' },
      { name: 'CPU of an ask, more with 1000 rules', engine, value: more('many', cpu), unit: 'ms' },
      { name: 'CPU of an ask, more with a rule that counts', engine, value: more('counting', cpu), unit: 'ms' },
      {
        name: 'p50 of an ask without rules',
        engine,
        value: none,
        unit: 'ms',
        bare: unruled,
        ratioToBare: none / unruled,
      },
    ];
  } finally {
    await hub.stop();
  }
}

async function makeRules(database: Database): Promise<{ key: string }> {
  const key = await newKey(database);
  await enrol(database, 'none', 1);
  await give(database, 'many', RULES);
  await give(database, 'counting', [{ name: 'late', when: { tool: 'Bash', asked: { min: 1e9 } }, then: 'approve' }]);
  return { key };
}

async function give(database: Database, person: string, rules: Rule[]): Promise<void> {
  const { handle } = await enrol(database, person, 1);
  const row = await database.read
    .selectFrom('people')
    .innerJoin('devices', 'devices.person_id', 'people.id')
    .select(['people.id', 'devices.id as device'])
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  await database.transaction((trx) =>
    trx.updateTable('people').set({ preferences: '{"timeZone":"Europe/Berlin"}' }).where('id', '=', row.id).execute(),
  );
  await putPolicies(database, { of: 'person', personId: row.id }, { version: 0, rules }, row.device);
}

/** Each looks at something else of the same call, and nearly fits. */
const WHENS: ((at: number) => Rule['when'])[] = [
  (at) => ({ tool: `Bash${at}*` }),
  (at) => ({ tool: 'Bash', args: { '/path': { under: `/srv/app${at}` } } }),
  (at) => ({ tool: 'Bash', shell: [`npm run build${at}`, 'git status', 'git log *'] }),
  (at) => ({ agent: 'Claude*', args: { '/command': { matches: `*npm*${at}` } } }),
  () => ({ source: newId('src', Date.now()), time: { from: '00:00', to: '23:59' } }),
];
const RULES: Rule[] = Array.from({ length: RULES_MAX }, (_, at) => ({
  name: `rule ${at}`,
  when: WHENS[at % WHENS.length]!(at),
  then: 'approve',
}));
