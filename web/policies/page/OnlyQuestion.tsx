import type { QuestionOfRule } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import { ruleWords } from '../words.ts';

/** The question that a rule is about, whole; it can be taken out of the rule and put back, and is written nowhere. */
export function OnlyQuestion({
  question: { prompt, options = [] },
  kept,
  wrong,
  onKeep,
}: {
  question: QuestionOfRule;
  kept: boolean;
  wrong: string[];
  onKeep: (kept: boolean) => void;
}) {
  const t = ruleWords();
  const told = options.map(({ value, label, description, preview }) =>
    [t.option(label, value), description, preview].filter((text) => text !== undefined).join('\n'),
  );
  const whole = visible([prompt, ...told].join('\n\n'), true);
  return (
    <fieldset class="gate-may only-this">
      <legend class="field-label">{t.question}</legend>
      <label>
        <input type="checkbox" checked={kept} onChange={(event) => onKeep(event.currentTarget.checked)} /> {t.onlyThis}
      </label>
      {kept && (
        <label class="field">
          <textarea readOnly aria-label={t.question} rows={Math.min(8, whole.split('\n').length)} value={whole} />
        </label>
      )}
      {wrong.map((sentence) => (
        <p class="need" role="alert" key={sentence}>
          {sentence}
        </p>
      ))}
    </fieldset>
  );
}
