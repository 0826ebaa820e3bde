import './quiet.css';
import { useState } from 'preact/hooks';
import type { Quiet } from '#shared/policies/quiet.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { me } from '../live/session.ts';
import { Back } from '../automation/Back.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { Quiet as QuietButton } from '../ui/Button.tsx';
import { Word } from '../ui/Field.tsx';
import { Tied } from '../ui/sentence/Space.tsx';
import { SourceOptions } from '../yolo/SourceOptions.tsx';
import { useSources } from '../yolo/tell.ts';
import { Span } from './Span.tsx';
import { useQuiet } from './useQuiet.ts';
import { quietWords } from './words.ts';

const NIGHT = { from: '22:00', to: '07:00' };
const MOST = 10;

/** When this person is not to be woken, as sentences; each change is saved at once, for all devices. */
export function QuietHours() {
  const t = quietWords();
  const { quiet, change, problem } = useQuiet();
  const { timeZone } = me.value?.preferences ?? {};
  const spans = quiet?.spans ?? [];
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const put = (make: (spans: Quiet['spans']) => Quiet['spans']) =>
    change((before) => {
      const list = make(before?.spans ?? []);
      const zone = timeZone === undefined ? { timeZone: here } : {};
      return { quiet: list.length === 0 ? null : { ...before, spans: list }, ...zone };
    });
  const [only] = spans;
  const clauses =
    spans.length === 0
      ? ([t.none] as const)
      : only && spans.length === 1
        ? t.one(only.from, only.to)
        : ([t.several(spans.length)] as const);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={clauses}>
          <Back />
          <p class="lede">{t.lede}</p>
          <Refused problem={problem} />
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel">
          <h2 class="day">{t.hours}</h2>
          {spans.map((span, place) => (
            <Span
              key={place}
              {...{ span, place }}
              onChange={(make) => put((list) => list.map((one, at) => (at === place ? make(one) : one)))}
              onRemove={() => put((list) => list.toSpliced(place, 1))}
            />
          ))}
          {spans.some(({ days }) => days) && <p class="say">{t.begins}</p>}
          {timeZone !== undefined && spans.length > 0 && <p class="say">{t.zone(timeZone)}</p>}
          <div class="fields">
            {timeZone !== undefined && timeZone !== here && (
              <QuietButton onPress={() => change(() => ({ timeZone: here }))}>{t.useZone(here)}</QuietButton>
            )}
            {spans.length < MOST && (
              <QuietButton icon="plus" onPress={() => put((list) => [...list, NIGHT])}>
                {t.add}
              </QuietButton>
            )}
          </div>
        </section>
        {quiet && (
          <Through
            through={quiet.through ?? {}}
            onChange={(part) =>
              change((before) => (before ? { quiet: { ...before, through: { ...before.through, ...part } } } : {}))
            }
          />
        )}
      </main>
    </>
  );
}

type Breaking = NonNullable<Quiet['through']>;

/** What notifies in spite of quiet hours. */
function Through({ through, onChange }: { through: Breaking; onChange: (part: Breaking) => void }) {
  const t = quietWords();
  const asking = useSources();
  const [begun, begin] = useState(false);
  const { high = false, sources = [] } = through;
  const some = begun || sources.length > 0;
  const [start, and, end] = t.throughSentence;
  return (
    <section class="panel">
      <h2 class="day">{t.through}</h2>
      <p class="sentence">
        {start}
        <Tied text={and}>
          <Word
            label={t.urgency}
            value={high ? 'yes' : 'no'}
            options={[['no', t.high.no] as const, ['yes', t.high.yes] as const]}
            onPick={(chosen) => onChange({ high: chosen === 'yes' })}
          />
        </Tied>
        <Tied text={end}>
          <Word
            label={t.which}
            value={some ? 'some' : 'none'}
            options={[['none', t.sources.none] as const, ['some', t.sources.some] as const]}
            onPick={(chosen) => {
              begin(chosen === 'some');
              if (chosen === 'none' && sources.length > 0) onChange({ sources: [] });
            }}
          />
        </Tied>
      </p>
      {some && (
        <div class="fields">
          <SourceOptions
            label={t.which}
            sources={asking}
            chosen={sources}
            onChoose={(chosen) => {
              begin(true);
              onChange({ sources: chosen });
            }}
          />
        </div>
      )}
    </section>
  );
}
