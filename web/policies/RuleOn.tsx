import { useSignal } from '@preact/signals';
import { explain } from '../app/form/explain.ts';
import { now } from '../ui/clock.ts';
import { Banner } from '../ui/shell/Banner.tsx';
import { Quiet } from '../ui/Button.tsx';
import { made, undoRule } from './made.ts';
import { ruleWords } from './words.ts';

/** Says until when the rule that was just made is on; one tap takes it back. */
export function RuleOn() {
  const t = ruleWords();
  const why = useSignal('');
  const last = made.value;
  if (!last) return null;
  const undo = async () => {
    const problem = await undoRule();
    why.value = problem ? explain(problem) : '';
  };
  const { until } = last.rule;
  return (
    <Banner
      act={
        <>
          <EditMade />
          <Quiet onPress={() => void undo()}>{t.undo}</Quiet>
          <Quiet onPress={() => (made.value = undefined)}>{t.fine}</Quiet>
        </>
      }
    >
      {t.on(until === undefined ? undefined : Date.parse(until), now.value)} {why.value}
    </Banner>
  );
}

/** The way to change the rule that was just made. */
export function EditMade() {
  const last = made.value;
  return last ? (
    <a class="quiet" href={`/rules#${last.of}/${encodeURIComponent(last.rule.name)}`}>
      <span class="link">{ruleWords().edit}</span>
    </a>
  ) : null;
}
