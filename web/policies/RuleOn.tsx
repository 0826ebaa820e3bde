import { useSignal } from '@preact/signals';
import { visible } from '#shared/visible.ts';
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
  const { name, until = '' } = last.rule;
  return (
    <Banner
      act={
        <>
          <Quiet onPress={() => void undo()}>{t.undo}</Quiet>
          <Quiet onPress={() => (made.value = undefined)}>{t.fine}</Quiet>
        </>
      }
    >
      {t.on(visible(name), Date.parse(until), now.value)} {why.value}
    </Banner>
  );
}
