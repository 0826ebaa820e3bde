import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeGate, Gate, GateRule, GateTool } from '#shared/policies/gate.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Field, Word } from '../ui/Field.tsx';
import { language, say } from '../ui/language.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { now } from '../ui/clock.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../app/form/Form.tsx';
import { Saying } from '../policies/Saying.tsx';
import { splitPieces, saySentence } from '../policies/sentence/sentence.ts';
import { toChange, chosen, isExact, findRule, spoken, withRule } from './rules.ts';
import { words } from './words.ts';

const DECISIONS = ['approve', 'edit', 'reject', 'respond'] as const;

/** The tools of a gate's upstream, each with what becomes of its calls; a choice is saved at once. */
export function Tools({ gate, onChanged }: { gate: Gate; onChanged: () => void }) {
  const t = say(words);
  const [tools, setTools] = useState<GateTool[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const { rules, refused, change } = useRules(gate, onChanged);
  const read = async () => {
    const reply = await call<{ items: GateTool[] }>('GET', `/v1/gates/${gate.name}/tools`);
    setProblem(reply.problem);
    if (reply.ok) setTools(reply.ok.items);
  };
  useEffect(() => void read(), [gate]);
  return (
    <>
      <Refused problem={refused ?? problem} />
      {!tools && !problem && <p class="say">{t.reading}</p>}
      {tools?.length === 0 && <p class="say">{t.noTools}</p>}
      <ul class="gate-tools" aria-label={t.toolsOf(gate.name)}>
        {(tools ?? []).map((tool) => (
          <li key={tool.name}>
            <Tool
              from={gate.from}
              rules={rules}
              tool={tool}
              onSet={(own) => change((all) => withRule(all, tool.name, own))}
            />
          </li>
        ))}
      </ul>
      {gate.from === 'api' && <Patterns rules={rules} onChange={change} />}
    </>
  );
}

// Choices may come faster than the hub answers: each begins with the rules of the one before, and they are saved in turn.
function useRules(gate: Gate, onChanged: () => void) {
  const rules = useSignal(gate.rules);
  const refused = useSignal<Problem | undefined>(undefined);
  const last = useRef(Promise.resolve());
  const unsaved = useRef(0);
  useEffect(() => {
    if (unsaved.current === 0) rules.value = gate.rules;
  }, [gate]);
  const save = async () => {
    const change: ChangeGate = toChange(gate, { rules: rules.peek() });
    const reply = await call('PUT', `/v1/gates/${gate.name}`, change);
    refused.value = reply.problem;
    unsaved.current--;
    // Refused or not: what holds now is what the hub says.
    if (unsaved.current === 0) onChanged();
  };
  const change = (make: (rules: GateRule[]) => GateRule[]) => {
    rules.value = make(rules.peek());
    unsaved.current++;
    last.current = last.current.then(save);
  };
  return { rules: rules.value, refused: refused.value, change };
}

function Tool({
  from,
  rules,
  tool,
  onSet,
}: {
  from: Gate['from'];
  rules: GateRule[];
  tool: GateTool;
  onSet: (change: Partial<GateRule> | undefined) => void;
}) {
  const t = say(words);
  const own = findRule(rules, tool.name);
  const byRule = ({ tool: pattern = '', when }: GateRule) => (when ? t.byConditions : t.byPattern(pattern));
  const first = tool.rule === undefined ? undefined : rules[tool.rule];
  return (
    <>
      <h4>
        <code>{visible(tool.name, true)}</code>{' '}
        {from === 'api' ? (
          <Word
            label={t.doesOf(tool.name)}
            value={own?.does ?? ''}
            options={[
              ['', t.doesDefault(t.does[tool.does])],
              ['ask', t.does.ask],
              ['allow', t.does.allow],
              ['deny', t.does.deny],
            ]}
            onPick={(value) => onSet(chosen(value))}
          />
        ) : (
          t.does[tool.does]
        )}{' '}
        {tool.caution && <small>{t.caution}</small>} {first && first !== own && <small>{byRule(first)}</small>}
      </h4>
      {tool.description && <p class="dim gate-about">{visible(tool.description)}</p>}
      {from === 'api' && own?.does === 'ask' && (
        <fieldset class="gate-may">
          <legend class="sr">{t.decisionsOf(tool.name)}</legend>
          <span aria-hidden="true">{t.decisions}</span>
          {DECISIONS.map((decision) => (
            <May
              key={decision}
              word={t.decision[decision]}
              checked={(own.allowed ?? DECISIONS).includes(decision)}
              onCheck={(checked) => {
                const allowed = DECISIONS.filter((one) =>
                  one === decision ? checked : (own.allowed ?? DECISIONS).includes(one),
                );
                if (allowed.length > 0) onSet({ allowed });
              }}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

function May({ word, checked, onCheck }: { word: string; checked: boolean; onCheck: (checked: boolean) => void }) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.currentTarget.checked)} /> {word}
    </label>
  );
}

/** Rules that fit many tools, or look at more than the tool, in the order in which they count. */
function Patterns({
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
                about={t.removeRule(rule.when ? sayPatterns(rule) : (rule.tool ?? ''))}
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

function sayPatterns(rule: GateRule): string {
  const sentence = saySentence(spoken(rule), { language: language.value, now: now.value, nameOf: asItIs });
  return splitPieces(sentence)
    .map(({ text }) => text)
    .join('');
}
