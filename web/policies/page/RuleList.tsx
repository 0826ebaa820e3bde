import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Policies, Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { RefusedHere, Wrong } from '../../app/form/Wrong.tsx';
import { now, serverNow, useTicking } from '../../ui/clock.ts';
import { Quiet } from '../../ui/Button.tsx';
import { type Change, latest, type Latest, noteLatest, recallLatest, undoLatest } from '../latest.ts';
import { readList, type Whose, writeList } from '../lists.ts';
import { made } from '../made.ts';
import { ruleWords } from '../words.ts';
import { coveredBy } from './covered.ts';
import { RuleRow } from './RuleRow.tsx';

type RuleListProps = {
  of: Whose;
  /** Sources and deciders that rules name. */
  named: AskingSource[];
  /** What the rule of this name did this week, as words. */
  didOf: (rule: Rule) => string;
  /** With the number of rules that count now; nothing where they cannot be read. */
  onRead: (count: number | undefined) => void;
};

/** One list of rules in its order; each change is saved at once, against the version that is shown (POL2). */
export function RuleList({ of, named, didOf, onRead }: RuleListProps) {
  const t = ruleWords();
  useTicking();
  const { list, problem, changed, save, read } = useList(of, onRead);
  const nameOf = (id: string) => named.find((one) => one.id === id)?.name ?? id;
  const rules = list?.rules ?? [];
  const last = latest.value[of]?.version === list?.version ? latest.value[of] : undefined;
  const undo = async () => {
    if (!last) return;
    await undoLatest(of, last);
    await read();
  };
  const taking = last && <TakenBack last={last} onUndo={() => void undo()} />;
  const isHere = rules.some(({ name }) => name === last?.name);
  return (
    <section class="panel" aria-labelledby={`rules-${of}`}>
      <div class="kindof">
        <h2 id={`rules-${of}`}>{of === 'me' ? t.mine : t.hub}</h2>
        <a class="quiet" href={`/rules#${of}`} aria-label={t.addTo[of]}>
          <span class="link">{t.add}</span>
        </a>
      </div>
      {changed ? (
        <div class="reply">
          <Wrong>{t.changed}</Wrong>
        </div>
      ) : (
        <RefusedHere problem={problem} />
      )}
      {of === 'me' && list && rules.length === 0 && <p class="say">{t.none}</p>}
      <ol class="autos">
        {rules.map((rule, place) => (
          <RuleRow
            key={rule.name}
            {...{ of, rule, nameOf }}
            did={didOf(rule)}
            covered={coveredBy(rules, place, serverNow())}
            onMove={(by) => void save(moved(rules, place, by), 'moved', rule)}
            mayMove={[place > 0, place < rules.length - 1]}
            onRemove={() => void save(rules.toSpliced(place, 1), 'removed', rule)}
            onTurn={(on) => void save(rules.toSpliced(place, 1, turned(rule, on)), on ? 'on' : 'off', rule)}
          >
            {last?.name === rule.name && taking}
          </RuleRow>
        ))}
      </ol>
      {!isHere && taking && <div class="say">{taking}</div>}
      <p class="say">{of === 'me' ? t.mineSay : t.hubSay}</p>
    </section>
  );
}

function TakenBack({ last: { what, name, at }, onUndo }: { last: Latest; onUndo: () => void }) {
  const t = ruleWords();
  return (
    <p role="status">
      {t.lastly[what](visible(name), at, now.value)} <Quiet onPress={onUndo}>{t.undo}</Quiet>
    </p>
  );
}

function useList(of: Whose, onRead: RuleListProps['onRead']) {
  const [list, setList] = useState<Policies | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [changed, setChanged] = useState(false);
  const turn = useRef(0);
  const show = (shown: Policies) => {
    setList(shown);
    const counts = ({ until, off }: Rule) => !off && (until === undefined || Date.parse(until) > serverNow());
    onRead(shown.rules.filter(counts).length);
  };
  const read = async () => {
    const mine = ++turn.current;
    const reply = await readList(of);
    // One that was begun later knows more.
    if (mine !== turn.current) return;
    setProblem(reply.problem);
    if (reply.ok) show(reply.ok);
    else onRead(undefined);
  };
  useEffect(() => void recallLatest(of), [of]);
  // A rule that was made, or taken back, in the banner is here too.
  useEffect(() => void read(), [of, made.value]);
  const save = async (rules: Rule[], what: Change, { name }: Rule): Promise<void> => {
    if (!list) return;
    const mine = ++turn.current;
    const reply = await writeList(of, { version: list.version, rules });
    const stale = reply.problem?.code === 'policies.changed';
    setChanged(stale);
    setProblem(reply.problem);
    if (stale) await read();
    if (!reply.ok) return;
    await noteLatest(of, list.rules, { version: reply.ok.version, what, name });
    if (mine === turn.current) show(reply.ok);
  };
  return { list, problem, changed, save, read };
}

function turned({ off: _off, ...rule }: Rule, on: boolean): Rule {
  return on ? rule : { ...rule, off: true };
}

function moved(rules: Rule[], from: number, by: -1 | 1): Rule[] {
  const rule = rules[from];
  return rule ? rules.toSpliced(from, 1).toSpliced(from + by, 0, rule) : rules;
}
