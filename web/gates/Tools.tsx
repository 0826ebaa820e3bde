import { useEffect, useState } from 'preact/hooks';
import type { ChangeGate, Gate, GateRule, GateTool } from '#shared/gate.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Word } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { visible } from '../ui/theirs.ts';
import { Patterns } from './Patterns.tsx';
import { changeOf, chosen, ruleOf, withRule } from './rules.ts';
import { words } from './words.ts';

const DECISIONS = ['approve', 'edit', 'reject', 'respond'] as const;

/** The tools of a gate's upstream, each with what becomes of its calls; a choice is saved at once. */
export function Tools({ gate, onChanged }: { gate: Gate; onChanged: () => void }) {
  const t = say(words);
  const [tools, setTools] = useState<GateTool[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<{ items: GateTool[] }>('GET', `/v1/gates/${gate.name}/tools`);
    setProblem(reply.problem);
    if (reply.ok) setTools(reply.ok.items);
  };
  useEffect(() => void read(), [gate]);
  const setRules = async (rules: GateRule[]) => {
    const change: ChangeGate = changeOf(gate, { rules });
    const reply = await call('PUT', `/v1/gates/${gate.name}`, change);
    setProblem(reply.problem);
    if (!reply.problem) onChanged();
  };
  const set = (tool: string, change: Partial<GateRule> | undefined) =>
    void setRules(withRule(gate.rules, tool, change));
  return (
    <>
      <Refused problem={problem} />
      {!tools && !problem && <p class="say">{t.reading}</p>}
      {tools?.length === 0 && <p class="say">{t.noTools}</p>}
      <ul class="gate-tools" aria-label={t.toolsOf(gate.name)}>
        {(tools ?? []).map((tool) => (
          <li key={tool.name}>
            <Tool gate={gate} tool={tool} onSet={(change) => set(tool.name, change)} />
          </li>
        ))}
      </ul>
      {gate.from === 'api' && <Patterns rules={gate.rules} onSet={set} />}
    </>
  );
}

function Tool({
  gate,
  tool,
  onSet,
}: {
  gate: Gate;
  tool: GateTool;
  onSet: (change: Partial<GateRule> | undefined) => void;
}) {
  const t = say(words);
  const own = ruleOf(gate.rules, tool.name);
  const pattern = tool.rule === undefined || own ? undefined : gate.rules[tool.rule]?.tool;
  return (
    <>
      <h4>
        <code>{visible(tool.name, true)}</code>{' '}
        {gate.from === 'api' ? (
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
        {tool.caution && <small>{t.caution}</small>} {pattern && <small>{t.byPattern(pattern)}</small>}
      </h4>
      {tool.description && <p class="dim gate-about">{visible(tool.description)}</p>}
      {gate.from === 'api' && own?.does === 'ask' && (
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
