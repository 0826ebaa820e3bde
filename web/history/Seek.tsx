import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import { visible } from '#shared/visible.ts';
import { call } from '../live/api.ts';
import { Word } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Quiet } from '../ui/Button.tsx';
import { Tied } from '../ui/sentence/Space.tsx';
import { type Kind, type Search, search, type When } from './search.ts';
import { historyWords } from './words.ts';

/** What of the history is wanted: words, how it ended, from whom and when. */
export function Seek() {
  const words = historyWords();
  const sought = search.value;
  const asking = useAsking();
  const seek = (more: Partial<Search>) => (search.value = { ...search.peek(), ...more });
  return (
    <search>
      <div class="find">
        <Icon name="search" />
        <input
          type="search"
          aria-label={words.findLabel}
          placeholder={words.findLabel}
          maxLength={200}
          value={sought.words}
          onInput={(event) => seek({ words: event.currentTarget.value })}
        />
      </div>
      <div class="filters filters--line" role="group" aria-label={words.filterLabel}>
        {(Object.keys(words.filters) as Kind[]).map((kind) => (
          <Quiet key={kind} pressed={sought.kind === kind} onPress={() => seek({ kind, rule: undefined })}>
            {words.filters[kind]}
          </Quiet>
        ))}
      </div>
      <p class="narrow">
        <span class="tie">
          <Word
            label={words.time}
            value={sought.when}
            options={(Object.keys(words.times) as When[]).map((when) => [when, words.times[when]] as const)}
            onPick={(when) => seek({ when })}
          />
        </span>
        {sought.when === 'between' && (
          <>
            {' '}
            <Day label={words.fromDay} value={sought.from} onPick={(from) => seek({ from })} /> {words.to}{' '}
            <span class="tie">
              <Day label={words.untilDay} value={sought.until} onPick={(until) => seek({ until })} />
            </span>
          </>
        )}
        {words.comma}
        <Tied text={words.stop}>
          <Word
            label={words.source}
            value={sought.source}
            options={[['', words.anySource], ...asking.map(({ id, name }) => [id, visible(name)] as const)]}
            onPick={(source) => seek({ source })}
          />
        </Tied>
      </p>
    </search>
  );
}

function Day({ label, value, onPick }: { label: string; value: string; onPick: (day: string) => void }) {
  return (
    <input
      type="date"
      class="word"
      aria-label={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    />
  );
}

function useAsking(): AskingSource[] {
  const [asking, setAsking] = useState<AskingSource[]>([]);
  useEffect(() => {
    void call<{ items: AskingSource[] }>('GET', '/v1/people/me/sources').then(
      (reply) => reply.ok && setAsking(reply.ok.items),
    );
  }, []);
  return asking;
}
