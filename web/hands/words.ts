import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { say } from '../ui/language.ts';
import { spaced } from '../ui/sentence/spaced.ts';
import { approversOf } from './hands.ts';
import { capital, countWord, ordinal } from '../ui/times.ts';

const listed = (names: string[], and: string) =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(` ${and} `);

const en = {
  you: 'you',
  count: (given: number, of: number) => `${given} of ${of} approved`,
  stand: (given: string[], of: number) => `${given.length} of ${of}: ${listed(given, 'and')} approved`,
  by: (names: string[]) => `Approved by ${listed(names, 'and')}`,
  must: (count: number) => `${capital(countWord(count, 'en'))} people must approve`,
  approved: 'approved',
  when: (time: string, device: string) => `${time}, on ${device}`,
  or: (names: string[]) => listed(names, 'or'),
  more: (left: number) => `${countWord(left, 'en')} more`,
  ends: 'The first reject ends it.',
  backOwn: (last: number) => `You can take it back until the ${ordinal(last)} approval. If somebody edits the call, `,
  back: (name: string | undefined, last: number) =>
    `${name ?? 'Each'} can take it back until the ${ordinal(last)} approval. If you edit the call, `,
  anew: (count: number) => `${count === 2 ? 'both' : 'all'} start anew.`,
  edited: (name: string) => `${name} changed the call. What stands here is what you approve.`,
  editedOwn: 'You changed the call. What stands here is what others approve.',
  startsAnew: (names: string[]) => `Your changes start anew: ${listed(names, 'and')} approved the call as it was.`,
  place: (place: number, of: number) => `${ordinal(place)} of ${of}`,
  last: (place: number) => `${ordinal(place)} of ${place}, then it runs`,
  signed: 'with your passkey',
  elsewhere: 'on a device with your passkey',
  comma: ', ',
  stop: '.',
  takeBack: 'Take back',
};

const zh: typeof en = {
  you: '你',
  count: (given, of) => `${given}/${of} 已批准`,
  stand: (given, of) => `${given.length}/${of}：${spaced(given.join('、')).trimStart()}已批准`,
  by: (names) => `${spaced(names.join('、')).trimStart()}已批准`,
  must: (count) => `须${countWord(count, 'zh')}人批准`,
  approved: '已批准',
  when: (time, device) => `${time}，用 ${device}`,
  or: (names) => spaced(names.join('或')).trim(),
  more: (left) => `还差${countWord(left, 'zh')}人`,
  ends: '第一个拒绝即告结束。',
  backOwn: (last) => `在第 ${last} 个批准之前你可以收回。如果有人修改调用，`,
  back: (name, last) => `在第 ${last} 个批准之前${spaced(name ?? '每个人').trimEnd()}可以收回。如果你修改调用，`,
  anew: () => '就全部重新开始。',
  edited: (name) => `${spaced(name).trimStart()}修改了调用。你批准的是这里显示的内容。`,
  editedOwn: '你修改了调用。别人批准的是这里显示的内容。',
  startsAnew: (names) => `你的修改会重新开始：${spaced(names.join('、')).trimStart()}批准的是原来的调用。`,
  place: (place, of) => `第 ${place} 个，共 ${of} 个`,
  last: (place) => `第 ${place} 个，随后执行`,
  signed: '使用通行密钥',
  elsewhere: '在有通行密钥的设备上',
  comma: '，',
  stop: '。',
  takeBack: '收回',
};

/** What is said of several approvals, in the page's language. */
export const handsWords = () => say({ en, zh });

/** Who approved a resolved inquiry: all that had to, or how many of them; undefined where one is enough, or nobody did. */
export function sayApprovers(inquiry: Inquiry, own: string | undefined): string | undefined {
  const t = handsWords();
  const { approvals } = inquiry;
  const names = approversOf(inquiry).map((handle) => (handle === own ? t.you : visible(handle)));
  if (!approvals || names.length === 0) return undefined;
  return names.length < approvals.count ? t.stand(names, approvals.count) : t.by(names);
}
