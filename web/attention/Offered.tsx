import { useState } from 'preact/hooks';
import { freeName } from '#shared/policies/names.ts';
import type { Offer } from '#shared/policies/attention.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { RowAct } from '../app/form/RowAct.tsx';
import { changeList } from '../policies/lists.ts';
import { putOff } from '../live/put-off.ts';
import { dropRule } from '../policies/made.ts';
import { Previewed, usePreview } from '../policies/Previewed.tsx';
import { Saying } from '../policies/Saying.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { attentionWords } from './words.ts';

/** A rule that would have spared this person; it can be turned on once its preview was shown, taken back with one tap, or dismissed for good. */
export function Offered({
  offer: { id, rule, saved },
  nameOf,
  onDismissed,
}: {
  offer: Offer;
  nameOf: (id: string) => string;
  onDismissed: () => void;
}) {
  const t = attentionWords();
  const [open, setOpen] = useState(false);
  const { on, problem, turnOn, undo } = useTurned(rule);
  const preview = usePreview('me', open ? rule : undefined);
  const name = visible(rule.name);
  const act = (word: string, onPress: () => void) => <RowAct word={word} about={t.of(word, name)} onPress={onPress} />;
  return (
    <li>
      <span class="no" aria-hidden="true">
        <Mark name={on ? 'stop' : 'comma'} class="own" />
      </span>
      <div>
        <p class="saying">
          <Saying rule={rule} nameOf={nameOf} />
        </p>
        <p>
          <b>{t.fewer(saved)}</b>
          <Space />
          {t.why(saved, rule.then === 'approve')}
        </p>
        {open && !on && (
          <div class="result" role="status">
            <Previewed then={rule.then} preview={preview} />
          </div>
        )}
        {on && <p role="status">{t.on}</p>}
        <Refused problem={problem} />
        <div class="acts">
          {on ? act(t.undo, undo) : act(t.preview, () => setOpen(!open))}
          {!on && preview && act(t.turnOn, turnOn)}
          {!on && act(t.dismiss, () => void putOff(id).then(onDismissed))}
        </div>
      </div>
    </li>
  );
}

/** The rule once it is turned on, and the two presses that turn it on and take it back. */
function useTurned(rule: Rule) {
  const [on, setOn] = useState<Rule | undefined>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const once = async (change: () => Promise<Problem | undefined>, after: () => Rule | undefined) => {
    if (busy) return;
    setBusy(true);
    const refused = await change();
    setBusy(false);
    setProblem(refused);
    if (!refused) setOn(after());
  };
  const turnOn = () => {
    let made: Rule | undefined;
    const change = (rules: Rule[]) => [...rules, (made = { ...rule, name: freeName(rule.name, rules) })];
    void once(
      async () => (await changeList('me', change)).problem,
      () => made,
    );
  };
  const undo = () =>
    void once(
      async () => on && dropRule('me', on),
      () => undefined,
    );
  return { on, problem, turnOn, undo };
}
