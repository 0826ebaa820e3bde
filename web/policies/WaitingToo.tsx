import { SelectedDialog } from '../inbox/select/SelectedDialog.tsx';
import { waitingToo } from './waiting-too.ts';
import { ruleWords } from './words.ts';

/** What waits and would have been approved by what was just turned on: each is shown before they are approved too. */
export function WaitingToo() {
  const t = ruleWords();
  if (waitingToo.value.length === 0) return null;
  const leave = () => (waitingToo.value = []);
  return (
    <SelectedDialog
      inquiries={waitingToo.value}
      verdict="approve"
      titleOf={t.waitingToo}
      cancel={t.leaveThem}
      onClose={leave}
      onDone={leave}
    />
  );
}
