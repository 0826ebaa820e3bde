import { fault, invalid } from '#shared/faults.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { AskYolo } from '#shared/policies/yolo.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import type { AnswerContent } from '#shared/answer.ts';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import { UNKNOWN } from '../../sources/recipients.ts';
import { unknownSource } from '../../sources/store.ts';
import { ask } from '../../inquiries/ask.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { readForSource } from '../../inquiries/read.ts';
import { findPersonByHandle } from '../../people/store.ts';
import { wantShown } from '../../deliveries/push/want.ts';
import type { Database } from '../../platform/database.ts';
import { statement, type Statement } from '../../platform/steps.ts';
import type { Started } from '../../inquiries/settling.ts';
import { justResolved } from '../../inquiries/just-resolved.ts';
import { storeChoices } from './store.ts';
import { type Yolos, tellYolo } from './yolo.ts';

const WORDS = {
  en: {
    title: (name: string, minutes: number) =>
      `${name} asks for YOLO for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    prompt:
      'If you approve, calls of this source that ask you alone are approved without you, from then on for so many minutes. What destroys something, is marked caution, holds a secret or is asked of a group still asks you. Edit the minutes to make it shorter; one tap stops it on any device.',
  },
  zh: {
    title: (name: string, minutes: number) => `${name} 请求放行 ${minutes} 分钟`,
    prompt:
      '批准之后，在这些分钟里，这个来源单独问你的调用不问你就批准。破坏性操作、标为慎重的、含机密的和问小组的，仍会问你。修改分钟数可以缩短；在任何设备上点一下即可停止。',
  },
};

/**
 * Asks one person, in the hub's own words, whether this source's calls may be approved without them for a while. It is
 * marked with caution and no rule is looked at, so only a person approves it. 403 where the owner did not allow it.
 */
export async function askForYolo(inquiries: Inquiries, sourceId: string, asked: AskYolo): Promise<Inquiry> {
  const { read } = inquiries.database;
  const source = await read
    .selectFrom('sources')
    .select(['name', 'locale', 'may_ask_yolo'])
    .where('id', '=', sourceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!source) throw unknownSource();
  if (source.may_ask_yolo === 0) throw mayNotAsk(403);
  const { minutes, reason, to } = asked;
  // YOLO is of one person; a source learns of no group by guessing.
  if (to !== undefined && !(await findPersonByHandle(read, to)))
    throw invalid([fault('/to/0', 'handle.unknown', UNKNOWN)]);
  const t = WORDS[chooseLanguage(undefined, source.locale)];
  const { inquiryId, inquiry } = await ask(inquiries, {
    sourceId,
    ask: {
      ...(to === undefined ? {} : { to: [to] }),
      title: t.title(source.name, minutes),
      prompt: t.prompt,
      actions: [
        {
          name: 'yolo',
          args: { minutes },
          ...(reason === undefined ? {} : { description: reason }),
          argsSchema: {
            type: 'object',
            properties: { minutes: { type: 'integer', minimum: 1, maximum: minutes } },
            required: ['minutes'],
            additionalProperties: false,
          },
          allowed: ['approve', 'edit', 'reject'],
          caution: true,
        },
      ],
      rules: 'none',
    } satisfies Ask,
    waitMs: 0,
    yolo: true,
  });
  return inquiry ?? readForSource(inquiries, inquiryId, sourceId);
}

const MINUTE_MS = 60_000;

type Row = { id: string; source_id: string; asked: string; transport: string };
type On = { personId: string; deviceId: string };

/** The YOLO that this answer starts, where its source asked for it; throws 409 where it cannot be started. */
export async function startedByApproval(
  yolos: Yolos,
  answerer: On,
  row: Row,
  content: AnswerContent,
): Promise<Started | undefined> {
  const minutes = minutesApproved(row, content);
  if (minutes === undefined) return undefined;
  await refuseUnstartable(yolos.database, answerer, row);
  return {
    statements: (now) => beginApproved(answerer, row, { minutes, now }),
    async announce(versions) {
      const own = versions.find(({ personId }) => personId === answerer.personId);
      if (own) await tellYolo(yolos, own.personId, own.version);
    },
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
  const choices = storeChoices({ calls: 'approve', sources: [sourceId] });
  return [
    begin(id, yoloId, personId, choices, now, until, deviceId, sourceId),
    wantShown({ subjectId: yoloId, personIds: [personId], giveUpAt: until, now }),
  ];
}

export function mayNotAsk(status: 403 | 409): AppError {
  return new AppError(
    status,
    'yolo.not_allowed',
    'This source may not ask for YOLO: the owner of the hub allows it in Automation, YOLO.',
  );
}
