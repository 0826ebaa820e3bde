import type { Offer } from '#shared/policies/attention.ts';
import type { Resolution } from '#shared/answer.ts';
import { firstIdAt } from '#shared/ids.ts';
import { freeName } from '#shared/policies/names.ts';
import { Rule } from '#shared/policies/rule.ts';
import type { Database } from '../../platform/database.ts';
import type { Turn } from '../../platform/loop.ts';
import { viewUndamaged } from '../../platform/stored.ts';
import { readPolicies } from '../../automation/rules/change.ts';
import { prepare, search, toRuleId, type List } from '../../automation/rules/rules.ts';
import { toAskingBefore, previewed, readAll, type AskedOf } from '../history/preview.ts';
import { askedIds, LOOKED_AT_ONCE, readEach } from '../../inquiries/asked.ts';
import { LOOKS } from '../history/read.ts';
import { inquiryBytes, parseResolution, type InquiryRow } from '../../inquiries/store.ts';
import { AGREE, createCandidates, type Candidate } from './candidates.ts';

const OFFERED = 3;
const DECIDED_MAX = 2_000;

type Whose = { personId: string; handle: string; timeZone: string; since: number; putOff: readonly string[] };
type Decided = { row: InquiryRow; inquiry: AskedOf; did: Resolution };
type Tried = Candidate & { id: string; list: List; rule: Rule; agree: Set<string>; refused: boolean };

/**
 * The rules that would have spared a person the most of what they decided alone since an instant: of each kind of thing
 * that they always decided in the same way, as the rules themselves judge it. What a rule of theirs or of the hub decides
 * by now counts for none, and what a rule that they dismissed would have decided is offered under no other rule.
 */
export async function offersFor(database: Database, whose: Whose, turn: Turn): Promise<Offer[]> {
  const { personId, timeZone } = whose;
  const [hub, own] = [
    await readPolicies(database, { of: 'hub', personId }),
    await readPolicies(database, { of: 'person', personId }),
  ];
  const lists = [hub, own].map(({ rules }) => prepare(rules, timeZone));
  const candidates = createCandidates();
  const names = new Map<string, string>();
  for await (const { row, inquiry, did } of decidedAlone(database, whose, lists, turn)) {
    candidates.add(inquiry, did);
    names.set(row.source_id, row.source_name);
  }
  const tried = candidates.tried().flatMap((one) => ready(one, names, timeZone));
  if (tried.length === 0) return [];
  for await (const decided of decidedAlone(database, whose, lists, turn)) for (const one of tried) judge(one, decided);
  const agreed = tried.filter(({ refused, agree }) => !refused && agree.size >= AGREE);
  const taken: { name: string }[] = [...own.rules];
  return best(agreed, whose.putOff).map(({ rule, ...offer }) => {
    const free = { ...rule, name: freeName(rule.name, taken) };
    taken.push(free);
    return { ...offer, rule: free };
  });
}

function ready(candidate: Candidate, names: Map<string, string>, timeZone: string): Tried[] {
  const { about, when, then } = candidate;
  const name = freeName(`${names.get(when.source as string) ?? ''}: ${about}`, []);
  const rule = { name, when, then };
  if (!Rule.safeParse(rule).success) return [];
  const id = toRuleId({ ...rule, name: '' });
  return [{ ...candidate, id, rule, list: prepare([rule], timeZone), agree: new Set(), refused: false }];
}

function judge(one: Tried, { row, inquiry }: Decided): void {
  if (one.refused || one.when.source !== row.source_id) return;
  const item = previewed(row, inquiry, one.list, undefined);
  if (!item) return;
  if (item.differs || inquiry.actions?.some(({ caution }) => caution)) one.refused = true;
  else if (item.would) one.agree.add(row.id);
}

function best(tried: Tried[], dismissed: readonly string[]): Offer[] {
  const chosen: Offer[] = [];
  const spared = new Set(tried.flatMap(({ id, agree }) => (dismissed.includes(id) ? [...agree] : [])));
  while (chosen.length < OFFERED) {
    const [first] = tried
      .map((one) => ({ one, saved: one.agree.difference(spared).size }))
      .toSorted((a, b) => b.saved - a.saved);
    if (!first || first.saved < AGREE) break;
    chosen.push({ id: first.one.id, rule: first.one.rule, saved: first.saved });
    for (const id of first.one.agree) spared.add(id);
  }
  return chosen;
}

async function* decidedAlone(
  { read }: Database,
  { personId, handle, since }: Whose,
  lists: List[],
  turn: Turn,
): AsyncGenerator<Decided> {
  const first = firstIdAt('inq', since);
  let decided = 0;
  let from: string | undefined;
  for (let look = 0; look < LOOKS; look++) {
    await turn();
    const found = await askedIds(read, personId, { open: 0, from, limit: LOOKED_AT_ONCE });
    const ids = found.filter((id) => id >= first);
    const rows = await read
      .selectFrom('inquiries')
      .select(['id', inquiryBytes.as('bytes')])
      .where('id', 'in', ['', ...ids])
      .where('asked_of', '=', JSON.stringify([handle]))
      .where('outcome', 'in', ['answered', 'declined'])
      .where('rule', 'is', null)
      .orderBy('id', 'desc')
      .execute();
    for await (const row of readEach(read, rows, turn)) {
      const whole = (one: InquiryRow) => ({ inquiry: readAll(one), did: parseResolution(one) });
      const { inquiry, did } = viewUndamaged(row, whole) ?? {};
      if (!inquiry || did?.by.kind !== 'person') continue;
      if (search(lists, toAskingBefore(row, inquiry, undefined))) continue;
      yield { row, inquiry, did };
      if (++decided === DECIDED_MAX) return;
    }
    from = ids.at(-1);
    if (ids.length < LOOKED_AT_ONCE) return;
  }
}
