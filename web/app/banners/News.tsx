import type { Resolution } from '#shared/answer.ts';
import type { PasskeyNews } from '#shared/schemas/passkeys.ts';
import { visible } from '#shared/visible.ts';
import type { LeftBehind } from '#shared/wire.ts';
import { left } from '../../devices/left.ts';
import { titleParts } from '#shared/call-name/name.ts';
import { plainName } from '#shared/call-name/parts.ts';
import { Called } from '../../inquiry/view/Title.tsx';
import { call } from '../../live/api.ts';
import { type admitted, dropAdmitted, passkeyNews } from '../../live/enrolments.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { askerName } from '../../live/inquiries.ts';
import { markRead, notices } from '../../live/notices.ts';
import { me } from '../../live/session.ts';
import { discard } from '../../live/store.ts';
import { Banner } from '../../ui/shell/Banner.tsx';
import { language, say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { clockTime } from '../../ui/times.ts';

const FEW = 3;
const TITLE_MAX = 140;

/** The latest notice; of a flood from one source its count too. */
export function LatestNotice() {
  const t = say(words);
  const notice = notices.value.at(-1);
  if (!notice) return null;
  const alike = notices.value.filter(({ source }) => source.id === notice.source.id);
  // A flood is one line, and one press ends it.
  const read = alike.length > FEW ? alike : [notice];
  return (
    <Banner
      quiet
      icon="bell"
      act={<Quiet onPress={() => read.forEach(({ id }) => void markRead(id))}>{t.gotIt}</Quiet>}
    >
      <b>
        <bdi>{visible(notice.source.name)}</bdi>
      </b>{' '}
      {read.length > 1 && <b>{t.notices(read.length)} </b>}
      <bdi>{visible(notice.title)}</bdi>{' '}
      {notice.body && (
        <span class="dim" dir="auto">
          {visible(notice.body)}
        </span>
      )}{' '}
      {notice.link && (
        <a class="link" href={notice.link} target="_blank" rel="noreferrer">
          {new URL(notice.link).host}
        </a>
      )}
    </Banner>
  );
}

/** Says that a device signed in, and takes that back. */
export function Admitted({ device, at }: (typeof admitted.value)[number]) {
  const t = say(words);
  const revoke = async () => {
    const reply = await call<LeftBehind>('DELETE', `/v1/devices/${device.id}`);
    if (reply.ok) left.value = reply.ok;
    if (!reply.problem || reply.problem.status === 404) dropAdmitted(device.id);
  };
  return (
    <Banner
      act={
        <>
          <Quiet onPress={() => void revoke()}>{t.wasNotMe}</Quiet>
          <Quiet onPress={() => dropAdmitted(device.id)}>{t.fine}</Quiet>
        </>
      }
    >
      {t.signedIn(visible(device.name), clockTime(Date.parse(at)))}
    </Banner>
  );
}

/** Says what was changed of one's passkeys, on whichever device. */
export function Passkey({ what, name = '', at }: PasskeyNews) {
  const t = say(words);
  return (
    <Banner act={<Quiet onPress={() => (passkeyNews.value = undefined)}>{t.fine}</Quiet>}>
      {t.passkeys[what](visible(name), clockTime(Date.parse(at)))}
    </Banner>
  );
}

/** Says what became of an answer that left late, or of an inquiry that was taken away with words in it. */
export function Decided({ entry: { inquiry, receipt, refused, resolution } }: { entry: InquiryEntry }) {
  const t = say(words);
  const ended = receipt?.resolution ?? resolution;
  if (!ended && !refused) return null;
  const title = plainName(titleParts(inquiry, language.value), TITLE_MAX);
  const outcome = inquiry.notPickedUp
    ? t.notPickedUp(visible(askerName(inquiry)), title)
    : refused
      ? t.notTaken(title)
      : receipt?.won
        ? t.arrived(title)
        : lostTo(ended, title);
  return (
    <Banner
      quiet
      act={
        <>
          <a class="quiet" href={`/i/${inquiry.id}`}>
            <span class="link">{t.open}</span>
          </a>
          {!refused && <Quiet onPress={() => discard(inquiry.id)}>{t.gotIt}</Quiet>}
        </>
      }
    >
      {outcome} <Called inquiry={inquiry} />
    </Banner>
  );
}

function lostTo(resolution: Resolution | undefined, title: string): string {
  const t = say(words);
  if (resolution?.outcome !== 'answered' && resolution?.outcome !== 'declined') return t.tooLate(title);
  const { by } = resolution;
  if (by.kind !== 'person') return t.faster(t.somebody, title);
  return by.handle === me.value?.person.handle
    ? t.fasterYou(visible(by.device.name), title)
    : t.faster(by.handle, title);
}

const en = {
  signedIn: (name: string, time: string) => `${name} signed in at ${time}. It sees and answers what is asked of you.`,
  passkeys: {
    added: (name: string, time: string) => `The passkey “${name}” was added at ${time}.`,
    removed: (name: string, time: string) => `The passkey “${name}” was removed at ${time}.`,
    removal: (name: string) => `The owner removes your passkey “${name}” in a day. Keep it under Settings, Passkeys.`,
    kept: (name: string) => `The passkey “${name}” stays.`,
    codes: (_name: string, time: string) => `New codes were printed at ${time}. Older ones are of no use any more.`,
    code_used: (_name: string, time: string) => `A printed code was used at ${time}.`,
  },
  wasNotMe: 'This was not me',
  arrived: (title: string) => `Your answer to “${title}” arrived.`,
  faster: (who: string, title: string) => `${who} answered “${title}” earlier. Your words are kept.`,
  fasterYou: (device: string, title: string) =>
    `You had already answered “${title}” on ${device}. Your words are kept.`,
  somebody: 'Somebody else',
  tooLate: (title: string) => `“${title}” was over before your answer arrived. Your words are kept.`,
  notTaken: (title: string) => `The hub did not take your answer to “${title}”. Open it to see why.`,
  notPickedUp: (asker: string, title: string) => `Not picked up: “${title}”. ${asker} was gone.`,
  notices: (count: number) => `${count} notices, the last one:`,
  open: 'Open',
  gotIt: 'Dismiss',
  fine: 'OK',
};

const zh: typeof en = {
  signedIn: (name, time) => `${time}，${name} 已登录。它能看到并答复问你的一切。`,
  passkeys: {
    added: (name, time) => `${time}，已添加通行密钥“${name}”。`,
    removed: (name, time) => `${time}，已移除通行密钥“${name}”。`,
    removal: (name) => `所有者将在一天后移除你的通行密钥“${name}”。可在“设置”的“通行密钥”中保留它。`,
    kept: (name) => `通行密钥“${name}”予以保留。`,
    codes: (_name, time) => `${time} 打印了新备用码，旧的已失效。`,
    code_used: (_name, time) => `${time} 使用了一个备用码。`,
  },
  wasNotMe: '不是我',
  arrived: (title) => `你对“${title}”的答复已送到。`,
  faster: (who, title) => `${who} 更早答复了“${title}”。你写的内容已保留。`,
  fasterYou: (device, title) => `你已在 ${device} 上答复“${title}”。你写的内容已保留。`,
  somebody: '别人',
  tooLate: (title) => `“${title}”在你的答复送到前已经结束。你写的内容已保留。`,
  notTaken: (title) => `服务端没有收下你对“${title}”的答复。打开看看原因。`,
  notPickedUp: (asker, title) => `未被取走：“${title}”。${asker} 已离开。`,
  notices: (count) => `${count} 条通知，最新一条：`,
  open: '打开',
  gotIt: '忽略',
  fine: '好',
};

const words = { en, zh };
