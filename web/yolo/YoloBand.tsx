import './yolo.css';
import { useState } from 'preact/hooks';
import type { Yolo } from '#shared/policies/yolo.ts';
import { route } from '../app/route.ts';
import { known } from '../live/inquiries.ts';
import { connection } from '../live/store.ts';
import { now, useTicking } from '../ui/clock.ts';
import { Banner } from '../ui/shell/Banner.tsx';
import { Quiet, Button } from '../ui/Button.tsx';
import { clockTime } from '../ui/times.ts';
import { sayNames, noteSeen, stop, useSources } from './tell.ts';
import { yoloWords } from './words.ts';

/** That YOLO runs and until when, with its stop; then, until somebody has looked, that it ended. */
export function YoloBand() {
  const { running, ended } = known.value.yolo;
  useTicking(running !== undefined);
  // The line that is lost has the place.
  if (connection.value === 'offline') return null;
  if (running && Date.parse(running.untilAt) > now.value) return <Running key={running.id} yolo={running} />;
  return ended ? <Ended yolo={ended} /> : null;
}

/** The same as words in the masthead, while the band's place is taken. */
export function YoloWords() {
  const t = yoloWords();
  const { running } = known.value.yolo;
  useTicking();
  if (!running || Date.parse(running.untilAt) <= now.value) return null;
  return (
    <a class="quiet" href="/yolo">
      <span class="link">{t.until(Date.parse(running.untilAt), now.value)}</span>
    </a>
  );
}

function Running({ yolo }: { yolo: Yolo }) {
  const t = yoloWords();
  const sources = useSources();
  const [why, setWhy] = useState('');
  const acts = t.acts[yolo.calls === 'approve' ? 'approve' : 'other'];
  return (
    <Banner
      act={
        <Button look="line" onPress={() => void stop(yolo).then(setWhy)}>
          {t.stop}
        </Button>
      }
    >
      <b>{t.until(Date.parse(yolo.untilAt), now.value)}</b> {why || acts(sayNames(yolo, sources, t.agents))}
    </Banner>
  );
}

function Ended({ yolo }: { yolo: Yolo }) {
  const t = yoloWords();
  // Its list is shown already.
  if (route.value.page === 'yolo' && location.hash === `#${yolo.id}`) return null;
  return (
    <Banner
      quiet
      act={
        <>
          <a class="quiet" href={`/yolo#${yolo.id}`}>
            <span class="link">{t.seeList}</span>
          </a>
          <Quiet onPress={() => void noteSeen(yolo)}>{t.fine}</Quiet>
        </>
      }
    >
      {t.ended(clockTime(Date.parse(yolo.endedAt ?? yolo.untilAt)), yolo.settledCount)}
    </Banner>
  );
}
