import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { AskingSource } from '#shared/history.ts';
import type { Policies, Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { RefusedHere, Wrong } from '../../app/form/Wrong.tsx';
import { now, serverNow, useTicking } from '../../ui/clock.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { RowAct } from '../../app/form/RowAct.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { readList, type Whose, writeList } from '../lists.ts';
import { made } from '../made.ts';
import { ruleWords } from '../words.ts';
import { Previewed, usePreview } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { coveredBy } from './covered.ts';
import { EditRule } from './EditRule.tsx';

type RuleListProps = {
  of: Whose;
  sources: AskingSource[];
  deciders: AskingSource[];
  /** With the number of rules that count now; nothing where they cannot be read. */
  onRead: (count: number | undefined) => void;
};

/** One list of rules in its order; each change is saved at once, against the version that is shown (POL2). */
export function RuleList({ of, sources, deciders, onRead }: RuleListProps) {
  const t = ruleWords();
  useTicking();
  const { list, problem, changed, save } = useList(of, onRead);
  const [editing, setEditing] = useState<Rule | 'new' | undefined>();
  const nameOf = (id: string) => [...sources, ...deciders].find((one) => one.id === id)?.name ?? id;
  const rules = list?.rules ?? [];
  const put = async (rule: Rule, place: number) => {
    const refused = await save(rules.toSpliced(place, 1, rule));
    if (!refused) setEditing(undefined);
    // That the list was changed is said above it.
    return refused?.code === 'policies.changed' ? undefined : refused;
  };
  const form = (rule: Rule | undefined, place: number) => (
    <EditRule
      key={rule?.name ?? ''}
      {...{ of, rule, sources, deciders, nameOf }}
      onSave={(written) => put(written, place)}
      onCancel={() => setEditing(undefined)}
    />
  );
  return (
    <section class="panel" aria-labelledby={`rules-${of}`}>
      <h2 id={`rules-${of}`}>{of === 'me' ? t.mine : t.hub}</h2>
      <p class="say">{of === 'me' ? t.mineSay : t.hubSay}</p>
      {changed ? (
        <div class="reply">
          <Wrong>{t.changed}</Wrong>
        </div>
      ) : (
        !editing && <RefusedHere problem={problem} />
      )}
      {list && rules.length === 0 && editing !== 'new' && <p class="say">{t.none}</p>}
      <ol class="rules">
        {rules.map((rule, place) => (
          <RuleRow
            key={rule.name}
            {...{ of, rule, place, nameOf }}
            last={place === rules.length - 1}
            covered={coveredBy(rules, place, serverNow())}
            onEdit={() => setEditing(rule)}
            onMove={(by) => void save(moved(rules, place, by))}
            onRemove={() => void save(rules.toSpliced(place, 1))}
          >
            {editing !== 'new' && editing?.name === rule.name && form(rule, place)}
          </RuleRow>
        ))}
      </ol>
      {editing === 'new'
        ? form(undefined, rules.length)
        : list && (
            <div class="fields">
              <Quiet icon="plus" onPress={() => setEditing('new')}>
                {t.addTo[of]}
              </Quiet>
            </div>
          )}
      {of === 'me' && <p class="say">{t.rest}</p>}
    </section>
  );
}

function useList(of: Whose, onRead: RuleListProps['onRead']) {
  const [list, setList] = useState<Policies | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [changed, setChanged] = useState(false);
  const turn = useRef(0);
  const show = (shown: Policies) => {
    setList(shown);
    onRead(shown.rules.filter(({ until }) => until === undefined || Date.parse(until) > serverNow()).length);
  };
  const read = async () => {
    const thisTurn = ++turn.current;
    const reply = await readList(of);
    // One that was begun later knows more.
    if (thisTurn !== turn.current) return;
    setProblem(reply.problem);
    if (reply.ok) show(reply.ok);
    else onRead(undefined);
  };
  // A rule that was made, or taken back, in the banner is here too.
  useEffect(() => void read(), [of, made.value]);
  const save = async (rules: Rule[]): Promise<Problem | undefined> => {
    if (!list) return undefined;
    const thisTurn = ++turn.current;
    const reply = await writeList(of, { version: list.version, rules });
    const stale = reply.problem?.code === 'policies.changed';
    setChanged(stale);
    setProblem(reply.problem);
    if (stale) await read();
    else if (reply.ok && thisTurn === turn.current) show(reply.ok);
    return reply.problem;
  };
  return { list, problem, changed, save };
}

function moved(rules: Rule[], from: number, by: -1 | 1): Rule[] {
  const rule = rules[from];
  return rule ? rules.toSpliced(from, 1).toSpliced(from + by, 0, rule) : rules;
}

type RuleRowProps = {
  of: Whose;
  rule: Rule;
  place: number;
  last: boolean;
  /** The rule before it that fits first whatever it fits. */
  covered: string | undefined;
  nameOf: (sourceId: string) => string;
  onEdit: () => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  /** Its form, while it is edited. */
  children: ComponentChildren;
};

/** One rule, read aloud: what it fits and does, what it would have done, and what can be done with it. */
function RuleRow({ of, rule, place, last, covered, nameOf, onEdit, onMove, onRemove, children }: RuleRowProps) {
  const t = ruleWords();
  const [open, setOpen] = useState<'preview' | 'removal' | undefined>();
  const preview = usePreview(of, open === 'preview' ? rule : undefined);
  const name = visible(rule.name);
  const end = rule.until === undefined ? Infinity : Date.parse(rule.until);
  const act = (word: string, onPress: () => void) => <RowAct word={word} about={t.of(word, name)} onPress={onPress} />;
  return (
    <li>
      <span class="no num" aria-hidden="true">
        {place + 1}
      </span>
      <div>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p class="saying">
          <Saying rule={rule} nameOf={nameOf} />
        </p>
        {end <= now.value ? <p>{t.ended(end, now.value)}</p> : covered && <p>{t.covered(visible(covered))}</p>}
        {open === 'preview' && (
          <div class="result" role="status">
            <Previewed then={rule.then} preview={preview} />
          </div>
        )}
        {children || (
          <div class="acts">
            {act(t.preview, () => setOpen(open === 'preview' ? undefined : 'preview'))}
            {act(t.edit, onEdit)}
            {place > 0 && act(t.up, () => onMove(-1))}
            {!last && act(t.down, () => onMove(1))}
            {act(t.remove, () => setOpen('removal'))}
          </div>
        )}
        {open === 'removal' && (
          <Dialog title={t.removeTitle(name)} onClose={() => setOpen(undefined)}>
            <p class="dim">{t.removeSay}</p>
            <div class="bar-do">
              <Button look="line" onPress={() => setOpen(undefined)}>
                {t.keep}
              </Button>
              <Button
                onPress={() => {
                  setOpen(undefined);
                  onRemove();
                }}
              >
                {t.remove}
              </Button>
            </div>
          </Dialog>
        )}
      </div>
    </li>
  );
}
