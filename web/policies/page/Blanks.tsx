import '../../gates/gates.css';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { QuestionOfRule } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import { Choice } from '../../app/form/Form.tsx';
import { Either } from '../../ui/Either.tsx';
import { ruleWords } from '../words.ts';
import { OnlyQuestion } from './OnlyQuestion.tsx';
import { type Asks, asksOf, DAYS, type Does, FIRST, type LISTED, type Written } from './written.ts';

type BlanksProps = {
  written: Written;
  sources: AskingSource[];
  deciders: AskingSource[];
  /** The question that the rule is about as it stands. */
  question: QuestionOfRule | undefined;
  /** What is wrong with a field, as sentences. */
  wrongOf: (field: string) => string[];
  /** What stands below the commands. */
  children?: ComponentChildren;
  onWrite: (change: Partial<Written>) => void;
};

/** What can be written into a rule: who asks what, what becomes of it and its end; further conditions are folded. */
export function Blanks({ written, sources, deciders, question, wrongOf, children, onWrite }: BlanksProps) {
  const t = ruleWords();
  const [asks, setAsks] = useState<Asks>(asksOf(written));
  const several = written.source.includes('\n');
  const known = sources.map(({ id, name }) => [id, visible(name)] as const);
  const own = written.source === '' || sources.some(({ id }) => id === written.source);
  const others = own ? [] : [[written.source, written.source.replaceAll('\n', ', ')] as const];
  const pick = (chosen: Asks) => {
    setAsks(chosen);
    const kind = ['anything', 'command', 'tool'].includes(chosen) ? '' : chosen;
    const withoutQuestion = chosen !== 'text' && chosen !== 'questions';
    onWrite({ kind, shell: '', tool: chosen === 'command' ? 'Bash' : '', ...(question ? { withoutQuestion } : {}) });
  };
  const rows = { written, wrongOf, onWrite };
  return (
    <>
      <Choice
        label={t.source}
        value={written.source}
        words={Object.fromEntries([['', t.anySource] as const, ...others, ...known])}
        onPick={(source) => onWrite({ source })}
        key={several ? 'several' : 'one'}
      />
      <Choice label={t.asks} value={asks} words={t.asksOf} onPick={pick} />
      {question && (
        <OnlyQuestion
          question={question}
          kept={!written.withoutQuestion}
          wrong={wrongOf('question')}
          onKeep={(kept) => onWrite({ withoutQuestion: !kept, name: '' })}
        />
      )}
      {asks === 'command' && <Rows of="shell" {...rows} />}
      {asks === 'tool' && <Rows of="tool" {...rows} />}
      {children}
      <Further asks={asks} {...rows} />
      <Do {...{ written, deciders, wrongOf, onWrite }} />
      <label class="field">
        <span>{t.until}</span>
        <input
          type="datetime-local"
          class={written.until ? undefined : 'is-empty'}
          value={written.until}
          onInput={(event) => onWrite({ until: event.currentTarget.value })}
        />
      </label>
      <Needs wrong={wrongOf('until')} />
      <Line label={t.name} of="name" {...rows} />
    </>
  );
}

function Do({ written, deciders, wrongOf, onWrite }: Omit<BlanksProps, 'sources' | 'question' | 'children'>) {
  const t = ruleWords();
  const [more, setMore] = useState(!FIRST.includes(written.does));
  const others = Object.entries(t.then).filter(
    ([does]) => !FIRST.includes(does as Does) && (does !== 'decider' || deciders.length > 0),
  ) as [Does, string][];
  const pick = (does: Does) => onWrite({ does, ...(does === 'decider' ? { words: deciders[0]?.id ?? '' } : {}) });
  return (
    <>
      <span class="field-label">{t.does}</span>
      <Either
        label={t.does}
        value={more ? 'more' : written.does}
        options={[...FIRST.map((does) => [does, t.then[does]] as const), ['more', t.otherThen] as const]}
        onPick={(does) => {
          setMore(does === 'more');
          pick(does === 'more' ? (others[0]?.[0] ?? 'suggested') : does);
        }}
      />
      {more && (
        <Choice
          label={t.otherThen}
          value={written.does}
          words={Object.fromEntries(others) as Record<Does, string>}
          onPick={pick}
        />
      )}
      {written.does === 'decider' && (
        <Choice
          label={t.decider}
          value={written.words}
          words={Object.fromEntries(deciders.map(({ id, name }) => [id, visible(name)]))}
          onPick={(id) => onWrite({ words: id })}
        />
      )}
      {['reject', 'answer', 'ask-others'].includes(written.does) && (
        <Text
          label={written.does === 'ask-others' ? t.handles : t.sayWords}
          value={written.words}
          onWrite={(words) => onWrite({ words })}
        />
      )}
      <Needs wrong={[...wrongOf('then'), ...wrongOf('when')]} />
    </>
  );
}

type Part = Pick<BlanksProps, 'written' | 'wrongOf' | 'onWrite'>;

function Further({ asks, ...rows }: Part & { asks: Asks }) {
  const t = ruleWords();
  const { written, wrongOf, onWrite } = rows;
  const { args, annotation, askedMin, askedMax, from, days, agent, dialect, gate, run, group } = written;
  const used = [args, annotation, askedMin, askedMax, from, agent, dialect, gate, run, group, ...days].some(Boolean);
  return (
    <details class="further" open={used}>
      <summary class="quiet">
        <span class="link">{t.further}</span>
      </summary>
      {asks === 'command' && <Rows of="tool" {...rows} />}
      <Text
        label={t.args}
        value={args}
        hint={t.argsSay}
        wrong={wrongOf('args')}
        onWrite={(text) => onWrite({ args: text })}
      />
      <Choice
        label={t.annotation}
        value={annotation}
        words={t.annotations as Record<string, string>}
        onPick={(picked) => onWrite({ annotation: picked })}
      />
      {(['agent', 'dialect', 'gate', 'run', 'group'] as const).map((of) => (
        <Rows key={of} of={of} {...rows} />
      ))}
      {(['askedMin', 'askedMax', 'from', 'to'] as const).map((of) => (
        <Line key={of} label={t[of]} of={of} {...rows} />
      ))}
      <Needs wrong={[...wrongOf('time'), ...wrongOf('asked'), ...wrongOf('days')]} />
      <fieldset class="gate-may">
        <legend>{t.days}</legend>
        {DAYS.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={days.includes(day)}
              onChange={({ currentTarget: { checked } }) =>
                onWrite({ days: [...days.filter((one) => one !== day), ...(checked ? [day] : [])] })
              }
            />{' '}
            {t.day[day]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

type LineProps = Part & { label: string; of: 'name' | 'askedMin' | 'askedMax' | 'from' | 'to' };

function Line({ label, of, written, wrongOf, onWrite }: LineProps) {
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input
          value={written[of]}
          maxLength={80}
          inputMode={of.startsWith('asked') ? 'numeric' : 'text'}
          dir="auto"
          autocomplete="off"
          onInput={(event) => onWrite({ [of]: event.currentTarget.value })}
        />
      </label>
      {of === 'name' && <Needs wrong={wrongOf('name')} />}
    </>
  );
}

type RowsProps = Part & { of: Exclude<(typeof LISTED)[number], 'source'> };

function Rows({ of, written, wrongOf, onWrite }: RowsProps) {
  return (
    <Text label={ruleWords()[of]} value={written[of]} wrong={wrongOf(of)} onWrite={(text) => onWrite({ [of]: text })} />
  );
}

type TextProps = { label: string; value: string; hint?: string; wrong?: string[]; onWrite: (text: string) => void };

function Text({ label, value, hint, wrong = [], onWrite }: TextProps) {
  const told = useId();
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <textarea
          rows={Math.min(6, value.split('\n').length)}
          value={value}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={wrong.length > 0}
          aria-describedby={hint || wrong.length > 0 ? told : undefined}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      </label>
      <div id={told}>
        <Needs wrong={wrong} />
        {hint && <p class="hint">{hint}</p>}
      </div>
    </>
  );
}

/** What is wrong with the field above, beside it. */
function Needs({ wrong }: { wrong: string[] }) {
  return (
    <>
      {wrong.map((sentence) => (
        <p class="need" role="alert" key={sentence}>
          {sentence}
        </p>
      ))}
    </>
  );
}
