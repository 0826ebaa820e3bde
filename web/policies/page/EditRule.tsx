import '../../gates/gates.css';
import { useId, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Preview } from '#shared/policies/preview.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused, Wrong } from '../../app/form/Wrong.tsx';
import { Choice, SubmitBar, useFirstField } from '../../app/form/Form.tsx';
import { Field } from '../../ui/Field.tsx';
import type { Whose } from '../lists.ts';
import { Previewed, fetchPreview } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { ruleWords } from '../words.ts';
import { DAYS, type Does, type LISTED, ruleOfWritten, type Written, toWritten } from './written.ts';

type EditRuleProps = {
  of: Whose;
  rule: Rule | undefined;
  sources: AskingSource[];
  deciders: AskingSource[];
  nameOf: (sourceId: string) => string;
  onSave: (rule: Rule) => Promise<Problem | undefined>;
  onCancel: () => void;
};

/** Makes a rule or changes one: it is read aloud while it is written, and saved once its preview was shown. */
export function EditRule({ of, rule: before, sources, deciders, nameOf, onSave, onCancel }: EditRuleProps) {
  const t = ruleWords();
  const form = useFirstField();
  const [written, setWritten] = useState(toWritten(before));
  const [shown, show] = useState<{ key: string; preview: Preview } | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const rule = ruleOfWritten(written, before);
  const key = JSON.stringify(rule);
  const preview = rule && shown?.key === key ? shown.preview : undefined;
  const press = async () => {
    if (!rule || busy) return;
    setBusy(true);
    if (preview) setProblem(await onSave(rule));
    else {
      const reply = await fetchPreview(of, rule);
      setProblem(reply.problem);
      if (reply.ok) show({ key, preview: reply.ok });
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void press();
      }}
    >
      <Blanks {...{ written, sources, deciders }} onWrite={(change) => setWritten({ ...written, ...change })} />
      <div class="result">
        {rule && (
          <p class="saying">
            <Saying rule={rule} nameOf={nameOf} />
          </p>
        )}
        <div role="status">{rule && preview && <Previewed then={rule.then} preview={preview} />}</div>
      </div>
      {!rule && <Wrong>{t.notJson}</Wrong>}
      <Refused problem={problem} />
      <SubmitBar cancel={t.cancel} submit={preview ? t.save : t.preview} waits={!rule || busy} onCancel={onCancel} />
    </form>
  );
}

type BlanksProps = {
  written: Written;
  sources: AskingSource[];
  deciders: AskingSource[];
  onWrite: (change: Partial<Written>) => void;
};

/** What can be written into a rule: the usual conditions, what it does and its end; further ones below. */
function Blanks({ written, sources, deciders, onWrite }: BlanksProps) {
  const t = ruleWords();
  const several = written.source.includes('\n');
  const known = sources.map(({ id, name }) => [id, visible(name)] as const);
  const own = written.source === '' || sources.some(({ id }) => id === written.source);
  const others = own ? [] : [[written.source, written.source.replaceAll('\n', ', ')] as const];
  const needsWords = ['reject', 'answer', 'ask-others'].includes(written.does);
  return (
    <>
      <Field label={t.name} value={written.name} onWrite={(name) => onWrite({ name })} maxLength={80} required />
      <Choice
        label={t.source}
        value={written.source}
        words={Object.fromEntries([['', t.anySource] as const, ...others, ...known])}
        onPick={(source) => onWrite({ source })}
        key={several ? 'several' : 'one'}
      />
      <Rows of="tool" {...{ written, onWrite }} />
      <Rows of="shell" {...{ written, onWrite }} />
      <Further {...{ written, onWrite }} />
      <Choice
        label={t.does}
        value={written.does}
        words={deciders.length > 0 || written.does === 'decider' ? t.then : withoutDecider(t.then)}
        onPick={(does) => onWrite({ does, ...(does === 'decider' ? { words: deciders[0]?.id ?? '' } : {}) })}
      />
      {written.does === 'decider' && (
        <Choice
          label={t.decider}
          value={written.words}
          words={Object.fromEntries(deciders.map(({ id, name }) => [id, visible(name)]))}
          onPick={(id) => onWrite({ words: id })}
        />
      )}
      {needsWords && (
        <Text
          label={written.does === 'ask-others' ? t.handles : t.sayWords}
          value={written.words}
          onWrite={(words) => onWrite({ words })}
        />
      )}
      <label class="field">
        <span>{t.until}</span>
        <input
          type="datetime-local"
          class={written.until ? undefined : 'is-empty'}
          value={written.until}
          onInput={(event) => onWrite({ until: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

function withoutDecider({ decider: _none, ...others }: Record<Does, string>): Record<Does, string> {
  return others as Record<Does, string>;
}

function Further({ written, onWrite }: Omit<BlanksProps, 'sources' | 'deciders'>) {
  const t = ruleWords();
  const { args, annotation, askedMin, askedMax, from, days, agent, dialect, gate, run, group, kind } = written;
  const used = [args, annotation, askedMin, askedMax, from, agent, dialect, gate, run, group, kind, ...days].some(
    Boolean,
  );
  return (
    <details class="further" open={used}>
      <summary class="quiet">
        <span class="link">{t.further}</span>
      </summary>
      <Choice
        label={t.kind}
        value={kind}
        words={{ '': t.anyKind, ...(kind.includes(' ') ? { [kind]: kind } : {}), ...t.kinds }}
        onPick={(picked) => onWrite({ kind: picked })}
      />
      <Text label={t.args} value={args} hint={t.argsSay} onWrite={(text) => onWrite({ args: text })} />
      <Choice
        label={t.annotation}
        value={annotation}
        words={t.annotations as Record<string, string>}
        onPick={(picked) => onWrite({ annotation: picked })}
      />
      {(['agent', 'dialect', 'gate', 'run', 'group'] as const).map((of) => (
        <Rows key={of} of={of} {...{ written, onWrite }} />
      ))}
      {(['askedMin', 'askedMax', 'from', 'to'] as const).map((of) => (
        <Field
          key={of}
          label={t[of]}
          value={written[of]}
          inputMode={of === 'from' || of === 'to' ? 'text' : 'numeric'}
          onWrite={(text) => onWrite({ [of]: text })}
        />
      ))}
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

type RowsProps = { of: Exclude<(typeof LISTED)[number], 'source'> } & Omit<BlanksProps, 'sources' | 'deciders'>;

function Rows({ of, written, onWrite }: RowsProps) {
  return <Text label={ruleWords()[of]} value={written[of]} onWrite={(text) => onWrite({ [of]: text })} />;
}

type TextProps = { label: string; value: string; hint?: string; onWrite: (text: string) => void };

function Text({ label, value, hint, onWrite }: TextProps) {
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
          aria-describedby={hint && told}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      </label>
      {hint && (
        <p class="hint" id={told}>
          {hint}
        </p>
      )}
    </>
  );
}
