import { useState } from 'preact/hooks';
import type { Quiet } from '#shared/policies/quiet.ts';
import { Word } from '../ui/Field.tsx';
import { Tied } from '../ui/sentence/Tied.tsx';
import { SourceOptions } from '../yolo/SourceOptions.tsx';
import { useSources } from '../yolo/tell.ts';
import { quietWords } from './words.ts';

type Breaking = NonNullable<Quiet['through']>;

/** What notifies in spite of quiet hours. */
export function Through({ through, onChange }: { through: Breaking; onChange: (part: Breaking) => void }) {
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
