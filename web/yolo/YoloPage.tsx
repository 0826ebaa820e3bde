import './yolo.css';
import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Yolo } from '#shared/policies/yolo.ts';
import type { Problem } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { Refused, Wrong } from '../app/form/Wrong.tsx';
import { route } from '../app/route.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { known } from '../live/inquiries.ts';
import { Back } from '../automation/Back.tsx';
import { now, useTicking } from '../ui/clock.ts';
import { Head } from '../ui/shell/Head.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Button } from '../ui/Button.tsx';
import { clockTime } from '../ui/times.ts';
import { SourceOptions } from './SourceOptions.tsx';
import { StartDialog } from './StartDialog.tsx';
import { covers, sayNames, stop, useSources, useYolos } from './tell.ts';
import { yoloWords } from './words.ts';
import { YoloEnd } from './YoloEnd.tsx';

/** Where YOLO is started and stopped; with the id of one in the address, what that one did. */
export function YoloPage() {
  // Read, so that another address shows another one.
  const id = route.value.page === 'yolo' ? location.hash.slice(1) : '';
  return id === '' ? <Standing /> : <YoloEnd key={id} id={id} />;
}

function Standing() {
  const t = yoloWords();
  useTicking();
  const sources = useSources();
  const read = useYolos();
  const [starting, start] = useState(false);
  const { running } = known.value.yolo;
  const runs = running && Date.parse(running.untilAt) > now.value ? running : undefined;
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[runs ? t.until(Date.parse(runs.untilAt), now.value) : t.off]}>
          <Back />
          <p class="lede">{t.lede}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          {runs ? (
            <Running
              yolo={runs}
              sources={sources}
              count={read?.running?.id === runs.id ? read.running.settledCount : 0}
            />
          ) : (
            <div class="fields">
              <div class="bar-do">
                <Button look="line" onPress={() => start(true)}>
                  {t.startAsk}
                </Button>
              </div>
            </div>
          )}
        </section>
        {starting && !runs && <StartDialog onClose={() => start(false)} />}
        {me.value?.person.owner && <MayAsk />}
        {read && read.past.length > 0 && <Past past={read.past} sources={sources} />}
      </main>
    </>
  );
}

function Running({ yolo, sources, count }: { yolo: Yolo; sources: AskingSource[]; count: number }) {
  const t = yoloWords();
  const [why, setWhy] = useState('');
  return (
    <>
      <h2 class="day">{t.doesNow}</h2>
      <p class="yolo-covers">{covers(yolo, whenIs(yolo.untilAt), sources)}</p>
      <p class="say">
        {t.started(yolo.startedOn.name, clockTime(Date.parse(yolo.startedAt)), sayNames(yolo, sources, t.all))}
      </p>
      {count > 0 && (
        <p class="say">
          {t.soFar(count)}{' '}
          <a class="link" href={`/yolo#${yolo.id}`}>
            {t.seeList}
          </a>
        </p>
      )}
      <div class="fields">
        <p class="hint">{t.stopSay}</p>
        {why && <Wrong>{why}</Wrong>}
        <div class="bar-do">
          <Button onPress={() => void stop(yolo).then(setWhy)}>{t.stop}</Button>
        </div>
      </div>
    </>
  );
}

function Past({ past, sources }: { past: Yolo[]; sources: AskingSource[] }) {
  const t = yoloWords();
  return (
    <section class="panel">
      <h2 class="day">{t.past}</h2>
      <ul class="rows rows--past">
        {past.map((yolo) => {
          const { id, startedAt, endedAt, untilAt, settledCount } = yolo;
          const when = t.span(
            whenIs(startedAt),
            clockTime(Date.parse(endedAt ?? untilAt)),
            sayNames(yolo, sources, t.all),
          );
          return (
            <li key={id}>
              <Mark name="stop" />
              <div>
                <h3>{when}</h3>
                <p>
                  {t.settled(settledCount)}{' '}
                  <a class="link" href={`/yolo#${id}`} aria-label={t.seeListOf(when)}>
                    {t.seeList}
                  </a>
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Which sources may ask for YOLO for their own calls, as the owner allows it. */
function MayAsk() {
  const t = yoloWords();
  const [sources, setSources] = useState<Source[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const { ok } = await call<{ items: Source[] }>('GET', '/v1/sources');
    if (ok) setSources(ok.items);
  };
  useEffect(() => void read(), []);
  const allowed = sources.filter(({ mayAskYolo }) => mayAskYolo).map(({ id }) => id);
  const choose = async (chosen: string[]) => {
    for (const { id, mayAskYolo = false } of sources) {
      if (chosen.includes(id) === mayAskYolo) continue;
      const reply = await call('PATCH', `/v1/sources/${id}`, { mayAskYolo: !mayAskYolo });
      setProblem(reply.problem);
    }
    await read();
  };
  if (sources.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="day">{t.mayAsk}</h2>
      <p class="say">{t.mayAskSay}</p>
      <div class="fields">
        <SourceOptions
          label={t.sources}
          sources={sources}
          chosen={allowed}
          onChoose={(chosen) => void choose(chosen)}
        />
        <Refused problem={problem} />
      </div>
    </section>
  );
}
