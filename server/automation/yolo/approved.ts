import type { AnswerContent } from '#shared/answer.ts';
import { newId } from '#shared/ids.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { wantShown } from '../../deliveries/push/want.ts';
import type { Database } from '../../platform/database.ts';
import { statement, type Statement } from '../../platform/steps.ts';
import { type AnnounceYolo, readYoloStates } from './store.ts';
import type { Started } from '../../inquiries/settling.ts';
import { justResolved } from '../../inquiries/just-resolved.ts';

const MINUTE_MS = 60_000;

type Row = { id: string; source_id: string; asked: string; transport: string };
type On = { personId: string; deviceId: string };

/** The YOLO that this answer starts, where its source asked for it; throws 409 where it cannot be started. */
export async function startedByApproval(
  telling: Telling,
  answerer: On,
  row: Row,
  content: AnswerContent,
): Promise<Started | undefined> {
  const minutes = minutesApproved(row, content);
  if (minutes === undefined) return undefined;
  await refuseUnstartable(telling.database, answerer, row);
  return {
    statements: (now) => beginApproved(answerer, row, { minutes, now }),
    announce: (versions) => tellApproved(telling, answerer.personId, versions),
  };
}

/** For how many minutes this answer starts YOLO; undefined: it starts none. */
function minutesApproved({ transport, asked }: Row, { decisions }: AnswerContent): number | undefined {
  if (!transport.includes('"yolo":true') || !(JSON.parse(transport) as Inquiry).yolo) return undefined;
  const [decision] = decisions ?? [];
  const [action] = (JSON.parse(asked) as Inquiry).actions ?? [];
  const args = decision?.type === 'edit' ? decision.args : decision?.type === 'approve' ? action?.args : undefined;
  return args === undefined ? undefined : Number((JSON.parse(JSON.stringify(args)) as { minutes: number }).minutes);
}

/** Throws 409 where YOLO cannot be started by this answer, so that nobody approves what then does not run. */
async function refuseUnstartable({ read }: Database, { personId }: On, { source_id: sourceId }: Row): Promise<void> {
  const running = await read
    .selectFrom('yolos')
    .select('id')
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (running) throw new AppError(409, 'yolo.running', 'YOLO runs already: stop it first, then approve this.');
  const source = await read.selectFrom('sources').select('may_ask_yolo').where('id', '=', sourceId).executeTakeFirst();
  if (source?.may_ask_yolo !== 1) throw mayNotAsk(409);
}

const begin = statement(
  `insert into yolos (id, person_id, choices, started_at, until_at, made_by)
    select cast(?2 as text), cast(?3 as text), cast(?4 as text), cast(?5 as bigint), cast(?6 as bigint), cast(?7 as text)
    where ${justResolved} and exists (select 1 from sources where id = cast(?8 as text) and may_ask_yolo = 1)
  on conflict do nothing`,
);

/** What starts it with the answer that approves it: for this source's calls, on the device that answers. */
function beginApproved(
  { personId, deviceId }: On,
  { id, source_id: sourceId }: Row,
  { minutes, now: at }: { minutes: number; now: number },
): Statement[] {
  const now = Math.round(at);
  const until = now + minutes * MINUTE_MS;
  const yoloId = newId('yol', now);
  const choices = JSON.stringify({ calls: 'approve', sources: [sourceId] });
  return [
    begin(id, yoloId, personId, choices, now, until, deviceId, sourceId),
    wantShown({ subjectId: yoloId, personIds: [personId], giveUpAt: until, now }),
  ];
}

type Telling = {
  database: Database;
  announce: AnnounceYolo;
  wakePushes: () => void;
};

/** Tells the person's devices that it runs. */
async function tellApproved(
  { database, announce, wakePushes }: Telling,
  personId: string,
  versions: { personId: string; version: number }[],
): Promise<void> {
  const version = versions.find((one) => one.personId === personId)?.version;
  if (version === undefined) return;
  const states = await readYoloStates(database.read, [personId]);
  announce(personId, { version, ...states.get(personId) });
  wakePushes();
}

export function mayNotAsk(status: 403 | 409): AppError {
  return new AppError(
    status,
    'yolo.not_allowed',
    'This source may not ask for YOLO: the owner of the hub allows it in Settings, YOLO.',
  );
}
