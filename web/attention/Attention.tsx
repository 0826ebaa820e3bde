import '../policies/policies.css';
import './attention.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Attention as Counted, AttentionDays } from '#shared/policies/attention.ts';
import type { Problem } from '#shared/problem.ts';
import { parseExact } from '#shared/json.ts';
import { visible } from '#shared/visible.ts';
import { HistoryPlaces } from '../history/HistoryPlaces.tsx';
import { call } from '../live/api.ts';
import { now } from '../ui/clock.ts';
import { Head } from '../ui/shell/Head.tsx';
import { language } from '../ui/language.ts';
import { SourceIcon } from '../ui/post/SourceIcon.tsx';
import { Quiet } from '../ui/Button.tsx';
import { moment } from '../ui/times.ts';
import { sumHours, fitScale, weekUntil, withoutEmpty } from './bars.ts';
import { Offered } from './Offered.tsx';
import { AsTable, BARS_HIGH, Hatching, Key, Plot } from './Plot.tsx';
import { Took } from './Took.tsx';
import { attentionWords } from './words.ts';
import { explain } from '../app/form/explain.ts';

/** How often this person was asked, by whom and when, what went without them, and which rules would spare them more. */
export function Attention() {
  const t = attentionWords();
  const [days, setDays] = useState<AttentionDays>('7');
  const { counted, problem, again } = useCounted(days);
  const total = counted?.sources.reduce((sum, source) => sum + askedBy(source), 0) ?? 0;
  const saved = counted?.offers.reduce((sum, offer) => sum + offer.saved, 0) ?? 0;
  const empty = counted?.sources.length === 0;
  // All of it at once: what stood there before the sentence is known would be pushed down by it.
  const known = useRef(false);
  known.current ||= counted !== undefined || problem !== undefined;
  const clauses = !counted
    ? ([t.loading] as const)
    : empty
      ? ([t.none] as const)
      : ([t.head(total), saved > 0 ? t.saved(saved) : t.noneSaved] as const);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={clauses}>
          {known.current && (
            <>
              <HistoryPlaces here="/attention" />
              <p class="lede">{t.lede}</p>
              <div class="filters" role="group" aria-label={t.span}>
                {(['7', '30'] as const).map((one) => (
                  <Quiet key={one} pressed={one === days} onPress={() => setDays(one)}>
                    {t.days[one]}
                  </Quiet>
                ))}
              </div>
            </>
          )}
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={counted ? undefined : 'true'} aria-label={t.title}>
        {problem && (
          <p class="say" role="alert">
            {explain(problem)} <Quiet onPress={again}>{t.retry}</Quiet>
          </p>
        )}
        {empty && (
          <section class="panel">
            <p class="say day">{t.lede}</p>
          </section>
        )}
        {counted && !empty && <Panels counted={counted} days={days} onDismissed={again} />}
      </main>
    </>
  );
}

type PanelsProps = { counted: Counted; days: AttentionDays; onDismissed: () => void };

function Panels({ counted, days, onDismissed }: PanelsProps) {
  const t = attentionWords();
  const nameOf = (id: string) => counted.sources.find(({ source }) => source.id === id)?.source.name ?? id;
  return (
    <>
      <Hatching />
      <section class="panel" aria-labelledby="attention-offers">
        <h2 class="day" id="attention-offers">
          {t.offers}
        </h2>
        {counted.offers.length === 0 && <p class="say">{t.noOffers}</p>}
        <ol class="rules">
          {counted.offers.map((offer) => (
            <Offered key={offer.id} {...{ offer, nameOf, onDismissed }} />
          ))}
        </ol>
      </section>
      <BySource counted={counted} days={days} />
      <ByHour counted={counted} />
      <Took attention={counted} />
    </>
  );
}

function BySource({ counted: { sources, since, timeZone }, days }: { counted: Counted; days: AttentionDays }) {
  const t = attentionWords();
  const today = new Date(new Intl.DateTimeFormat('en-CA', { timeZone }).format(now.value)).getUTCDay();
  const week = sources.map(({ weekdays }) => weekUntil(today, weekdays, t.weekdays));
  const plots = week.map(withoutEmpty);
  const without = t.weekdays.filter((name) => plots.every((bars) => bars.every((bar) => bar.name !== name)));
  const scale = fitScale(plots, BARS_HIGH);
  const whole = now.value - Date.parse(since) > (Number(days) - 1.5) * 86_400_000;
  return (
    <section class="panel" aria-labelledby="attention-days">
      <h2 class="day" id="attention-days">
        {t.who}
      </h2>
      <p class="say">{t.bySource[days]}</p>
      <Key />
      {!whole && <p class="say">{t.since(moment(Date.parse(since), now.value, language.value))}</p>}
      <div class="plots">
        {sources.map(({ source, ...counts }, at) => (
          <figure key={source.id}>
            <figcaption>
              <SourceIcon sourceId={source.id} name={source.name} />
              <span>
                <b>
                  <bdi>{visible(source.name)}</bdi>
                </b>{' '}
                {t.times(askedBy(counts), counts.asked - askedBy(counts))}
              </span>
            </figcaption>
            <Plot bars={plots[at]!} scale={scale} label={t.plotByDay(visible(source.name), said(plots[at]!))} />
          </figure>
        ))}
      </div>
      {without.length > 0 && <p class="say">{t.nobody(without)}</p>}
      <AsTable
        caption={t.bySource[days]}
        head={[t.table.source, t.table.day, t.table.asked, t.table.automatic]}
        rows={sources.flatMap(({ source }, at) =>
          plots[at]!.map(({ name, asked, automatic }) => [visible(source.name), name, asked, automatic]),
        )}
      />
    </section>
  );
}

function ByHour({ counted: { sources, timeZone } }: { counted: Counted }) {
  const t = attentionWords();
  const bars = sumHours(sources);
  const scale = fitScale([bars], BARS_HIGH);
  return (
    <section class="panel" aria-labelledby="attention-hours">
      <h2 class="day" id="attention-hours">
        {t.when}
      </h2>
      <p class="say">{t.byHourIn(timeZone)}</p>
      <div class="plots">
        {[0, 12].map((from) => {
          const half = withoutEmpty(bars.slice(from, from + 12));
          return half.length === 0 ? null : (
            <Plot key={from} bars={half} scale={scale} label={t.plotByHour(from, said(half))} />
          );
        })}
      </div>
      <AsTable
        caption={t.byHour}
        head={[t.table.hour, t.table.asked, t.table.automatic]}
        rows={withoutEmpty(bars).map(({ name, asked, automatic }) => [name, asked, automatic])}
      />
    </section>
  );
}

/** What it asked a person: all but what was settled without them. */
function askedBy({
  asked,
  became: { rule, yolo, decider },
}: Pick<Counted['sources'][number], 'asked' | 'became'>): number {
  return asked - rule - yolo - decider;
}

function said(bars: readonly { name: string; asked: number }[]): string {
  return bars.map(({ name, asked }) => `${name} ${asked}`).join(', ');
}

function useCounted(days: AttentionDays) {
  const [reply, setReply] = useState<{ days?: AttentionDays; counted?: Counted; problem?: Problem }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let left = false;
    void call('GET', `/v1/attention?days=${days}`).then(({ text, problem }) => {
      // Each number of an offered rule goes back as it was written.
      if (!left) setReply(problem ? { days, problem } : { days, counted: parseExact(text ?? '') as Counted });
    });
    return () => {
      left = true;
    };
  }, [days, turn]);
  const known = reply.days === days ? reply : {};
  return { counted: known.counted, problem: known.problem, again: () => setTurn(turn + 1) };
}
