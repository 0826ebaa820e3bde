import { useState } from 'preact/hooks';
import type { GateRule } from '#shared/gate.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Slab } from '../ui/Slab.tsx';
import { visible } from '#shared/visible.ts';
import { Choice } from '../app/form/Choice.tsx';
import { isExact } from './rules.ts';
import { words } from './words.ts';

/** Rules whose pattern fits many tools, in the order in which they count. */
export function Patterns({
  rules,
  onSet,
}: {
  rules: GateRule[];
  onSet: (pattern: string, change: Partial<GateRule> | undefined) => void;
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
        onSet(pattern.trim(), { does });
        setPattern('');
      }}
    >
      <h4>{t.patterns}</h4>
      <p class="dim">{t.patternsSay}</p>
      <ul class="gate-tools">
        {rules
          .filter((rule) => !isExact(rule))
          .map((rule) => (
            <li key={rule.tool} class="gate-rule">
              <span>
                <code>{visible(rule.tool, true)}</code> {t.does[rule.does]}
              </span>
              <RowAct word={t.remove} about={t.removeRule(rule.tool)} onPress={() => onSet(rule.tool, undefined)} />
            </li>
          ))}
      </ul>
      <Field label={t.pattern} value={pattern} onWrite={setPattern} maxLength={200} spellcheck={false} />
      <Choice label={t.doesOf(pattern || '*')} value={does} words={t.does} onPick={setDoes} />
      <div class="bar-do">
        <Slab look="line" submit onPress={() => {}}>
          {t.addRule}
        </Slab>
      </div>
    </form>
  );
}
