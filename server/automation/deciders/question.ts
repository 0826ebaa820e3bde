import type { Action, Asked, Inquiry } from '#shared/inquiry.ts';
import { withoutUndefined } from '#shared/json.ts';
import { undecidable } from '#shared/policies/decider.ts';
import { readStored, readStoredExact, viewUndamaged } from '../../platform/stored.ts';
import { askedIds, readDeviceIds, LOOKED_AT_ONCE, idsOf } from '../../inquiries/asked.ts';
import {
  parseAsked,
  parseResolution,
  findInquiries,
  parseWording,
  type InquiryRow,
  type Reader,
  readInquiries,
} from '../../inquiries/store.ts';
import type { DeciderQuestion, Example } from './model/call.ts';

const EXAMPLES = 20;
/** So many rows are read at once: of one with long arguments a few are enough. */
const PORTION = 20;

/** What a decider is told of an inquiry: of the earlier answers only those of the one person it stands in for. */
export async function toQuestion(read: Reader, row: InquiryRow): Promise<DeciderQuestion> {
  const { context } = readStored<Inquiry>(row.transport);
  const people = await read
    .selectFrom('recipients')
    .innerJoin('people', 'people.id', 'recipients.person_id')
    .select(['people.id', 'people.name'])
    .where('inquiry_id', '=', row.id)
    .execute();
  const [person] = people.length === 1 ? people : [];
  return {
    ask: { ...toDecidable(row), ...withoutUndefined({ context }) },
    sourceName: row.source_name,
    locale: parseWording(row).language,
    examples: person ? await readExamples(read, row, person.id) : [],
    ...(person ? { person: person.name } : {}),
  };
}

/** What was asked, with the choices that a decider has: it edits nothing, and what a sender remembers people choose. */
function toDecidable(row: InquiryRow): Asked {
  const { actions, ...asked } = parseAsked(row);
  if (!actions) return asked;
  const exact = readStoredExact<Asked>(row.asked).actions ?? [];
  return {
    ...asked,
    actions: actions.map((action, at) => decidable({ ...action, args: exact[at]?.args ?? action.args })),
  };
}

function decidable({ allowed, options, ...action }: Action): Action {
  const left = options?.filter(({ remember, stop }) => remember === undefined && !stop);
  // Without any choice of a type that is left, its plain form would fit here, and not what was asked.
  const taken = (type: string): boolean =>
    !!options?.some((option) => option.type === type) && !left?.some((option) => option.type === type);
  return {
    ...action,
    allowed: allowed.filter((type) => type !== 'edit' && !taken(type)),
    ...(left ? { options: left } : {}),
  };
}

async function readExamples(read: Reader, row: InquiryRow, personId: string): Promise<Example[]> {
  const ids = await askedIds(read, personId, { open: 0, from: undefined, limit: LOOKED_AT_ONCE });
  const own = await readDeviceIds(read, personId);
  const examples: Example[] = [];
  for (let at = 0; at < ids.length && examples.length < EXAMPLES; at += PORTION) {
    const found = await findInquiries(read)
      .select('inquiries.id')
      .where('inquiries.id', 'in', ids.slice(at, at + PORTION))
      .where('inquiries.source_id', '=', row.source_id)
      .where('inquiries.outcome', 'in', ['answered', 'declined'])
      .execute();
    const rows = await readInquiries(read, idsOf(found));
    examples.push(...rows.flatMap((one) => viewUndamaged(one, () => toExample(one, own)) ?? []));
  }
  return examples.slice(0, EXAMPLES);
}

// What no decider may be asked about is no example either.
function toExample(row: InquiryRow, devices: Set<string>): Example[] {
  const { by, text, at } = parseResolution(row) ?? {};
  const asked = parseAsked(row);
  if (by?.kind !== 'person' || !devices.has(by.device.id) || undecidable(asked, { actions: true })) return [];
  return [{ asked: asked.prompt ?? asked.title, answer: text ?? '', at: at ?? '' }];
}
