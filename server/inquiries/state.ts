import type { Database } from '../platform/database.ts';
import { statement } from '../platform/steps.ts';
import { readInTurn, takeTurn } from '../platform/turns.ts';
import { alreadyResolved, unknownInquiry, type InquiryRow } from './store.ts';

type Rows = Pick<Database, 'rows'>;
/** Whose inquiry it has to be: of a source that asked it, or of a person who was asked. */
export type Whose = { sourceId: string } | { personId: string };
/** `asked` is empty but for an edited call, whose secret arguments the words of its resolution leave out. */
type State = Pick<InquiryRow, 'outcome' | 'resolution' | 'asked'> & { bytes: number };

const state = `select i.outcome, i.resolution, case when i.resolution like '%"edit"%' then i.asked else '{}' end as asked,
  octet_length(i.asked) + octet_length(i.transport) + coalesce(octet_length(i.kept), 0) as bytes from inquiries i`;
const stateForSource = statement<State>(`${state} where i.id = ?1 and i.source_id = ?2`);
const stateForPerson = statement<State>(
  `${state} join recipients r on r.inquiry_id = i.id where i.id = ?1 and r.person_id = ?2`,
);
const ownBySource = statement<{ id: string }>('select id from inquiries where id = ?1 and source_id = ?2');
const askedPerson = statement<{ id: string }>(
  'select inquiry_id as id from recipients where inquiry_id = ?1 and person_id = ?2',
);

/**
 * How an inquiry ended, or that it is open, without reading what was asked; 404 for whoever it does not concern. From here
 * on the call that runs works on an open one in its turn where that is large (LIV3).
 */
export async function readState({ rows }: Rows, inquiryId: string, whose: Whose): Promise<State> {
  const statementFor =
    'sourceId' in whose ? stateForSource(inquiryId, whose.sourceId) : stateForPerson(inquiryId, whose.personId);
  const [[found]] = await readInTurn(() => rows(statementFor));
  if (!found) return unknownInquiry();
  if (found.resolution === null) await takeTurn(found.bytes);
  return found;
}

/** As `readState`; throws 409 with `detail` and the resolution where it has ended. */
export async function refuseEnded(database: Rows, inquiryId: string, whose: Whose, detail: string): Promise<void> {
  const found = await readState(database, inquiryId, whose);
  if (found.resolution !== null) throw alreadyResolved(found, detail);
}

/** 404 for whoever an inquiry does not concern; nothing else of it is read. */
export async function refuseForeign({ rows }: Rows, inquiryId: string, whose: Whose): Promise<void> {
  const [[found]] = await rows(
    'sourceId' in whose ? ownBySource(inquiryId, whose.sourceId) : askedPerson(inquiryId, whose.personId),
  );
  if (!found) unknownInquiry();
}
