import type { Me } from '#shared/wire.ts';
import { Loading } from '../app/Loading.tsx';
import { lazy, optional } from '../app/lazy.tsx';
import { say } from '../ui/language.ts';
import { me } from '../live/session.ts';
import { connection } from '../live/store.ts';

const InstallOffer = lazy(() => import('../app/InstallOffer.tsx').then(({ InstallOffer: ready }) => ready), optional);
const FirstSteps = lazy(() => import('../first-steps/FirstSteps.tsx').then(({ FirstSteps: ready }) => ready), Loading);
const Missed = lazy(() => import('./Apart.tsx').then(({ Missed: ready }) => ready), optional);
const Lately = lazy(() => import('../history/Lately.tsx').then(({ Lately: ready }) => ready), optional);

/** Nothing waits: the first steps until they are done or put off, then an empty panel. */
export function Empty() {
  // What an older page kept has no preferences.
  const over = (me.value as Partial<Me> | undefined)?.preferences?.firstSteps !== undefined;
  const asks = connection.value === 'live' && me.value !== undefined && !over;
  return asks ? <FirstSteps Otherwise={Nothing} /> : <Nothing />;
}

/** An empty ruled panel, one sentence, its full stop. */
function Nothing() {
  const words = say({ en, zh });
  const [start, end] = words.empty;
  return (
    <>
      <Lately />
      <main class="page" id="open">
        <Missed />
        <section class="panel ruled">
          <h1>
            {start}
            <wbr />
            <span class="tie">
              {end}
              <span class="sr">{words.stop.trim()}</span>
              <i aria-hidden="true" />
            </span>
          </h1>
          <p class="lede">
            {words.emptyMore}
            <a class="link" href="/devices">
              {words.devices}
            </a>
            {words.stop}
            <a class="link" href="/connect">
              {words.tryIt}
            </a>
            {words.stop}
          </p>
          <InstallOffer />
        </section>
      </main>
    </>
  );
}

const en = {
  empty: ['Nothing waits for ', 'you'] as [string, string],
  emptyMore: 'When something comes, your devices are notified. ',
  stop: '. ',
  devices: 'See your devices',
  tryIt: 'Connect an agent',
};

const zh: typeof en = {
  empty: ['没有', '待处理的事'],
  emptyMore: '有新问题时，你的设备会收到通知。',
  stop: '。',
  devices: '查看设备',
  tryIt: '接入智能体',
};
