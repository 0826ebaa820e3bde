import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { YoloReport as Report } from '#shared/policies/yolo.ts';
import { visible } from '#shared/visible.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { navigate } from '../app/route.ts';
import { everything, search } from '../history/search.ts';
import { call } from '../live/api.ts';
import { known } from '../live/inquiries.ts';
import { AlwaysDialog, type Way } from '../policies/always/Always.tsx';
import { Back } from '../automation/Back.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Quiet, Button } from '../ui/Button.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { sayNames, noteSeen, useSources } from './tell.ts';
import { yoloWords } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';
import { clockTime } from '../ui/times.ts';

/** What one time of YOLO did, to be read in ten seconds. */
export function YoloEnd({ id }: { id: string }) {
  const t = yoloWords();
  const sources = useSources();
  const { report, problem } = useReport(id);
  if (!report) return <Reading problem={problem} />;
  const { yolo, approved } = report;
  const count = approved.reduce((sum, one) => sum + one.count, 0);
  const time = clockTime(Date.parse(yolo.endedAt ?? yolo.untilAt));
  const done = async () => {
    await noteSeen(yolo);
    navigate('/yolo');
  };
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[yolo.endedAt ? t.endedAt(time) : t.runsUntil(time), t.approvedCount(count)]}>
          <p class="lede">
            {t.started(
              visible(yolo.startedOn.name),
              clockTime(Date.parse(yolo.startedAt)),
              sayNames(yolo, sources, t.all),
            )}
            <Space />
            {yolo.stoppedOn && t.stopped(visible(yolo.stoppedOn.name))}
          </p>
          <div class="bar-do card-do">
            <Button onPress={() => void done()}>{t.fine}</Button>
          </div>
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          <Approved report={report} />
          {report.asked.length > 0 && <Anyway asked={report.asked} />}
          <Further id={id} approved={approved} />
        </section>
      </main>
    </>
  );
}

function useReport(id: string): { report?: Report; problem?: Problem } {
  const [read, setRead] = useState<{ report?: Report; problem?: Problem }>({});
  const { version } = known.value.yolo;
  useEffect(() => {
    void call<Report>('GET', `/v1/yolo/${encodeURIComponent(id)}`).then(({ ok, problem }) =>
      setRead(ok ? { report: ok } : { problem: problem! }),
    );
  }, [id, version]);
  return read;
}

function Reading({ problem }: { problem: Problem | undefined }) {
  const t = yoloWords();
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.title]}>
          <Back />
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          <RefusedHere problem={problem} />
        </section>
      </main>
    </>
  );
}

function Approved({ report: { approved, handedBack, unanswered, random, decided } }: { report: Report }) {
  const t = yoloWords();
  const others = [
    handedBack && t.handedBack(handedBack),
    unanswered && t.unanswered(unanswered),
    random && t.random(random),
    decided && t.decided(decided),
  ];
  return (
    <>
      <h2 class="day">{t.approved}</h2>
      {approved.length === 0 && <p class="say">{t.nothing}</p>}
      <ul class="rows rows--past">
        {approved.map(({ source, name, count, titles }) => (
          <li key={`${source.id} ${name}`}>
            <Mark name="stop" />
            <div>
              <h3>{t.times(count, visible(name))}</h3>
              <p>
                <b>
                  <bdi>{visible(source.name)}</bdi>
                </b>{' '}
                <bdi>
                  <UntrustedText text={titles.join(t.list)} />
                </bdi>
              </p>
            </div>
          </li>
        ))}
      </ul>
      {others.some(Boolean) && <p class="say">{others.filter(Boolean).join(' ')}</p>}
    </>
  );
}

function Anyway({ asked }: { asked: Report['asked'] }) {
  const t = yoloWords();
  return (
    <>
      <h2 class="day">{t.anyway}</h2>
      <ul class="rows rows--past">
        {asked.map(({ id, title }) => (
          <li key={id}>
            <Mark name="stop" />
            <div>
              <h3>
                <a class="link" href={`/i/${id}`}>
                  <UntrustedText text={title} />
                </a>
              </h3>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Further({ id, approved }: { id: string; approved: Report['approved'] }) {
  const t = yoloWords();
  const [making, make] = useState(false);
  // In a rule a star stands for any text.
  const ways = approved.flatMap(({ source, name }): Way[] =>
    name.includes('*')
      ? []
      : [
          {
            label: `${visible(source.name)}: ${visible(name)}`,
            when: { source: source.id, tool: name },
            source: source.name,
          },
        ],
  );
  const open = () => {
    search.value = { ...everything, kind: 'rule', rule: id };
    navigate('/history');
  };
  return (
    <div class="yolo-acts">
      <Quiet onPress={open}>{t.history}</Quiet>
      {ways.length > 0 && <Quiet onPress={() => make(true)}>{t.rules}</Quiet>}
      {making && <AlwaysDialog ways={ways} onClose={() => make(false)} />}
    </div>
  );
}
