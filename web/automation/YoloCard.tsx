import { useState } from 'preact/hooks';
import { whenIs } from '../app/clock.ts';
import { Wrong } from '../app/form/Wrong.tsx';
import { known } from '../live/inquiries.ts';
import { Quiet } from '../ui/Button.tsx';
import { now, useTicking } from '../ui/clock.ts';
import { StartDialog } from '../yolo/StartDialog.tsx';
import { sayNames, stop, useSources, useYolos } from '../yolo/tell.ts';
import { yoloWords } from '../yolo/words.ts';
import { automationWords } from './words.ts';

/** YOLO in one sentence: what runs, or what the last one did, and the way to start or stop it. */
export function YoloCard() {
  const t = automationWords();
  const y = yoloWords();
  useTicking();
  const sources = useSources();
  const read = useYolos();
  const [why, setWhy] = useState('');
  const [starting, start] = useState(false);
  const { running } = known.value.yolo;
  const runs = running && Date.parse(running.untilAt) > now.value ? running : undefined;
  const last = read?.past[0];
  const shown = runs ?? last;
  return (
    <section class="panel" aria-labelledby="automation-yolo">
      <div class="kindof">
        <h2 id="automation-yolo">{y.title}</h2>
      </div>
      <ol class="autos">
        <li>
          <p class="saying">
            {runs ? t.yoloRuns(sayNames(runs, sources, y.all), Date.parse(runs.untilAt), now.value) : t.yolo}
          </p>
          <p>
            {!shown && (read ? t.didNothing : '\u00a0')}
            {shown &&
              (runs
                ? t.yoloSoFar(read?.running?.id === runs.id ? read.running.settledCount : 0)
                : t.yoloLast(shown.settledCount, whenIs(shown.startedAt)))}{' '}
            {shown && (
              <a class="link" href={`/yolo#${shown.id}`}>
                {t.seeThem}
              </a>
            )}
          </p>
          {why && <Wrong>{why}</Wrong>}
          <div class="acts">
            {runs ? (
              <Quiet onPress={() => void stop(runs).then(setWhy)}>{y.stop}</Quiet>
            ) : (
              <>
                <Quiet onPress={() => start(true)}>{t.start}</Quiet>
                <a class="quiet" href="/yolo" aria-label={t.of(t.more, y.title)}>
                  <span class="link">{t.more}</span>
                </a>
              </>
            )}
          </div>
        </li>
      </ol>
      {starting && !runs && <StartDialog onClose={() => start(false)} />}
    </section>
  );
}
