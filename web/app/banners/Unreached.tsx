import { useSignal } from '@preact/signals';
import { connection, entries, lostAt } from '../../live/store.ts';
import { Banner } from '../../ui/shell/Banner.tsx';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { words } from '../words.ts';

const own = {
  en: {
    notNotified: (count: number) =>
      count === 1 ? 'One question: no device was notified.' : `${count} questions: no device was notified.`,
  },
  zh: { notNotified: (count: number) => `${count} 个问题：没有设备收到通知。` },
};

/** Says that something was asked while no device could be told of it (DLV2), until this page has shown it. */
export function Unreached() {
  const t = say(words);
  const known = useSignal<readonly string[]>([]);
  const missed = entries.value
    .filter(
      ({ inquiry, resolution }) =>
        !resolution && !inquiry.quiet && inquiry.reach.told === 0 && !known.value.includes(inquiry.id),
    )
    .map(({ inquiry }) => inquiry.id);
  // By now a device may have been told of what was kept as nobody was.
  const asKept = connection.value === 'connecting' && lostAt.value === undefined;
  if (asKept || missed.length === 0) return null;
  const hide = () => {
    known.value = [...known.value, ...missed];
  };
  return (
    <Banner
      quiet
      icon="mute"
      act={
        <>
          <a class="quiet" href="/devices">
            <span class="link">{t.devices}</span>
          </a>
          <Quiet onPress={hide}>{t.fine}</Quiet>
        </>
      }
    >
      {say(own).notNotified(missed.length)}
    </Banner>
  );
}
