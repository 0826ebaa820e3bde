import { fault, invalid } from '#shared/faults.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import type { AskYolo } from '#shared/policies/yolo.ts';
import { chooseLanguage } from '#shared/texts/language.ts';
import { UNKNOWN } from '../../sources/recipients.ts';
import { unknownSource } from '../../sources/store.ts';
import { ask } from '../../inquiries/ask.ts';
import { mayNotAsk } from './approved.ts';
import type { Inquiries, Store } from '../../inquiries/inquiries.ts';
import { readForSource } from '../../inquiries/read.ts';

const ACTION = 'yolo';

const WORDS = {
  en: {
    title: (name: string, minutes: number) =>
      `${name} asks for YOLO for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    prompt:
      'If you approve, calls of this source that ask you alone are approved without you, from then on for so many minutes. Whatever is marked caution, holds a secret or is asked of a group still asks you. Edit the minutes to make it shorter; one tap stops it on any device.',
  },
  zh: {
    title: (name: string, minutes: number) => `${name} 请求放行 ${minutes} 分钟`,
    prompt:
      '批准之后，在这些分钟里，这个来源单独问你的调用不问你就批准。标为慎重的、含机密的和问小组的，仍会问你。修改分钟数可以缩短；在任何设备上点一下即可停止。',
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
  if (to !== undefined && !(await isPerson(inquiries, to))) throw invalid([fault('/to/0', 'handle.unknown', UNKNOWN)]);
  const t = WORDS[chooseLanguage(undefined, source.locale)];
  const { inquiryId, inquiry } = await ask(inquiries, {
    sourceId,
    ask: {
      ...(to === undefined ? {} : { to: [to] }),
      title: t.title(source.name, minutes),
      prompt: t.prompt,
      actions: [
        {
          name: ACTION,
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

async function isPerson({ database }: Store, handle: string): Promise<boolean> {
  const row = await database.read.selectFrom('people').select('id').where('handle', '=', handle).executeTakeFirst();
  return row !== undefined;
}
