import { useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { whenIs } from '../app/clock.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { useDeciders } from '../deciders/useDeciders.ts';
import { call } from '../live/api.ts';
import { offerWaiting } from '../policies/waiting.ts';
import { now, serverNow } from '../ui/clock.ts';
import { Word } from '../ui/Field.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Button } from '../ui/Button.tsx';
import { Tied } from '../ui/sentence/Space.tsx';
import { atFirst, toBody, type Chosen, type End, chosenEnd } from './chosen.ts';
import { SourceOptions } from './SourceOptions.tsx';
import { covers } from './tell.ts';
import { yoloWords } from './words.ts';

type Choosing = { chosen: Chosen; sources: AskingSource[]; onChoose: (change: Partial<Chosen>) => void };

/** What YOLO is to do, for whom and how long; says all of it in one sentence before it is started. */
export function StartForm({ sources }: { sources: AskingSource[] }) {
  const t = yoloWords();
  const [chosen, choose] = useState(atFirst);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const body = toBody(chosen, now.value);
  const at = chosenEnd(chosen, now.value);
  const start = async () => {
    const asked = toBody(chosen, serverNow());
    if (!asked || busy) return;
    setBusy(true);
    const reply = await call('POST', '/v1/yolo', asked);
    setBusy(false);
    setProblem(reply.problem);
    const { calls, sources: only } = asked;
    if (reply.ok && calls === 'approve') offerWaiting(({ source }) => !only || only.includes(source.id));
  };
  const choosing = { chosen, sources, onChoose: (change: Partial<Chosen>) => choose({ ...chosen, ...change }) };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2 class="day">{t.start}</h2>
      <Sentence {...choosing} />
      <div class="fields">
        {chosen.sources && (
          <SourceOptions
            label={t.sources}
            sources={sources}
            chosen={chosen.sources}
            onChoose={(only) => choose({ ...chosen, sources: only })}
          />
        )}
        <Ends {...choosing} />
        <p class="yolo-covers" role="status">
          {body && at !== undefined && covers(body, whenIs(new Date(at).toISOString()), sources)}
        </p>
        <p class="hint">{t.hint}</p>
        <Refused problem={problem} />
        <div class="bar-do">
          <Button submit waits={!body || busy} onPress={() => {}}>
            {at === undefined ? t.start : t.startUntil(at, now.value)}
          </Button>
        </div>
      </div>
    </form>
  );
}

function Sentence({ chosen: { sources: only, calls, questions }, sources, onChoose }: Choosing) {
  const t = yoloWords();
  const [start, then, and, end] = t.sentence;
  const deciders = (useDeciders().items ?? []).map(({ id, name }) => [id as `dcd_${string}`, visible(name)] as const);
  return (
    <p class="sentence">
      {start}
      <Tied text={then}>
        <Word
          label={t.source}
          value={only ? 'several' : 'all'}
          options={[['all', t.all] as const, ...(sources.length > 0 ? [['several', t.several] as const] : [])]}
          onPick={(which) =>
            onChoose({ sources: which === 'all' ? undefined : sources.length === 1 ? [sources[0]!.id] : [] })
          }
        />
      </Tied>
      <Tied text={and}>
        <Word
          label={t.callsOf}
          value={calls}
          options={[
            ...(['approve', 'you-decide', 'ask'] as const).map((one) => [one, t.calls[one]] as const),
            ...deciders.map(([id, name]) => [id, t.decidedBy(name)] as const),
          ]}
          onPick={(one) => onChoose({ calls: one })}
        />
      </Tied>
      <Tied text={end}>
        <Word
          label={t.questionsOf}
          value={questions}
          options={[
            ...(['ask', 'you-decide'] as const).map((one) => [one, t.questions[one]] as const),
            ...deciders.map(([id, name]) => [id, t.decidedBy(name)] as const),
          ]}
          onPick={(one) => onChoose({ questions: one })}
        />
      </Tied>
    </p>
  );
}

function Ends({ chosen, onChoose }: Choosing) {
  const t = yoloWords();
  const ends: End[] = ['quarter', 'hour', 'tonight', 'other'];
  return (
    <>
      <div class="options" role="radiogroup" aria-label={t.howLong}>
        {ends.map((end) => {
          const at = end === 'other' ? undefined : chosenEnd({ end, time: '' }, now.value);
          return (
            <label class="option" key={end}>
              <input type="radio" name="end" checked={chosen.end === end} onChange={() => onChoose({ end })} />
              <span class="ring">
                <Mark name="tick" />
              </span>
              <span>
                <b>{t.ends[end]}</b>
                <i>{at === undefined ? t.atMost : t.endsAt(at, now.value)}</i>
              </span>
            </label>
          );
        })}
      </div>
      {chosen.end === 'other' && (
        <label class="field">
          <span>{t.time}</span>
          <input
            type="time"
            required
            value={chosen.time}
            onInput={(event) => onChoose({ time: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}
