import type { Resolution } from '#shared/answer.ts';
import { visible } from '#shared/visible.ts';
import type { LeftBehind } from '#shared/wire.ts';
import { left } from '../../devices/left.ts';
import { titleOf } from '../../inquiry/view/Title.tsx';
import { call } from '../../live/api.ts';
import { type admitted, dropAdmitted } from '../../live/enrolments.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { askerName } from '../../live/inquiries.ts';
import { me } from '../../live/session.ts';
import { discard } from '../../live/store.ts';
import { Banner } from '../../ui/shell/Banner.tsx';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { clockTime } from '../../ui/times.ts';
import { words } from '../words.ts';

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

/** Says what became of an answer that left late, or of an inquiry that was taken away with words in it. */
export function Decided({ entry: { inquiry, receipt, refused, resolution } }: { entry: InquiryEntry }) {
  const t = say(words);
  const ended = receipt?.resolution ?? resolution;
  if (!ended && !refused) return null;
  const title = titleOf(inquiry);
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
          {!refused && <Quiet onPress={() => discard(inquiry.id)}>{t.dismiss}</Quiet>}
        </>
      }
    >
      {outcome}
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
