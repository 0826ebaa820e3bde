import { newId } from '#shared/ids.ts';
import type { AppError } from '#shared/problem.ts';
import { iso } from '../platform/clock.ts';
import type { Notices } from './send.ts';
import { announceToOwner, findOwner, writeToOwner } from './to-owner.ts';

const WORDS = {
  en: {
    title: (agent: string) => `The hook of ${agent} asked nobody`,
    http11:
      'It comes through a proxy that speaks HTTP/1.0, over which no call can wait. Behind nginx, set `proxy_http_version 1.1; proxy_buffering off;` for this hub.',
    refused: (reason: string) => `The hub refused its call: ${reason}`,
    meanwhile: 'Until then the agent decides by its own settings.',
  },
  zh: {
    title: (agent: string) => `${agent} 的钩子（hook）没有问任何人`,
    http11:
      '它经过一个使用 HTTP/1.0 的反向代理，而 HTTP/1.0 上的调用无法等待。如果是 nginx，请为这个服务端设置 `proxy_http_version 1.1; proxy_buffering off;`。',
    refused: (reason: string) => `服务端拒绝了它的调用：${reason}`,
    meanwhile: '在此之前，由智能体按自己的设置决定。',
  },
};
/** Longer than any key that a source can send, so that none stands in the place of this one. */
const KEY_CHARACTERS = 201;

/** Tells the owner that a hook could ask nobody, and why: at most once a day for each source. */
export async function tellUnasked(
  notices: Notices,
  { sourceId, agent, error }: { sourceId: string; agent: string; error: AppError },
): Promise<void> {
  const { database } = notices;
  const now = database.clock.now();
  const key = `a hook asked nobody on ${iso(now).slice(0, 10)}`.padEnd(KEY_CHARACTERS, '.');
  const told = database.read.selectFrom('notices').select('id').where('source_id', '=', sourceId);
  if (await told.where('key', '=', key).executeTakeFirst()) return;
  const sent = await database.transaction(async (trx) => {
    const owner = await findOwner(trx);
    if (owner === undefined) return undefined;
    const words = WORDS[owner.locale];
    const reason = error.code === 'ask.needs_http_1_1' ? words.http11 : words.refused(error.message);
    const body = `${reason}\n\n${words.meanwhile}`;
    return writeToOwner(trx, owner.id, { id: newId('ntc', now), sourceId, key, title: words.title(agent), body, now });
  });
  if (sent !== undefined) announceToOwner(notices, sent);
}
