import { useState } from 'preact/hooks';
import type { GateRule } from '#shared/policies/gate.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { Field } from '../ui/Field.tsx';
import { now } from '../ui/clock.ts';
import { language, say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { visible } from '#shared/visible.ts';
import { Choice } from '../app/form/Choice.tsx';
import { Saying } from '../policies/Saying.tsx';
import { piecesOf, sentenceOf } from '../policies/sentence/sentence.ts';
import { isExact, spoken, withRule } from './rules.ts';
import { words } from './words.ts';

/** Rules that fit many tools, or look at more than the tool, in the order in which they count. */
export function Patterns({
  rules,
  onChange,
}: {
  rules: GateRule[];
  onChange: (make: (rules: GateRule[]) => GateRule[]) => void;
}) {
  const t = say(words);
  const [pattern, setPattern] = useState('');
  const [does, setDoes] = useState<GateRule['does']>('ask');
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (pattern.trim() === '') return;
        onChange((all) => withRule(all, pattern.trim(), { does }));
        setPattern('');
      }}
    >
      <h4>{t.patterns}</h4>
      <p class="dim">{t.patternsSay}</p>
      <ul class="gate-tools">
        {rules
          .filter((rule) => !isExact(rule))
          .map((rule) => (
            <li key={JSON.stringify(rule)} class="gate-rule">
              <span>
                {rule.when ? (
                  <Saying rule={spoken(rule)} nameOf={asItIs} />
                ) : (
                  <>
                    <code>{visible(rule.tool ?? '', true)}</code> {t.does[rule.does]}
                  </>
                )}
              </span>
              <RowAct
                word={t.remove}
                about={t.removeRule(rule.when ? told(rule) : (rule.tool ?? ''))}
                onPress={() => onChange((all) => all.filter((one) => one !== rule))}
              />
            </li>
          ))}
      </ul>
      <Field label={t.pattern} value={pattern} onWrite={setPattern} maxLength={200} spellcheck={false} />
      <Choice label={t.doesOf(pattern || '*')} value={does} words={t.does} onPick={setDoes} />
      <div class="bar-do">
        <Button look="line" submit onPress={() => {}}>
          {t.addRule}
        </Button>
      </div>
    </form>
  );
}

const asItIs = (id: string) => id;

function told(rule: GateRule): string {
  const sentence = sentenceOf(spoken(rule), { language: language.value, now: now.value, nameOf: asItIs });
  return piecesOf(sentence)
    .map(({ text }) => text)
    .join('');
}
