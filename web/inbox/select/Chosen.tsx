import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { connection } from '../../live/store.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { selection } from '../many/long.ts';
import { selected } from '../many/view.ts';
import { decisionKey, excluding, readExcluding, type Verdict } from './like.ts';
import { SelectedDialog } from './SelectedDialog.tsx';
import { selectWords } from './words.ts';

/** How many are selected, what all of them are, and what can be done with them; nothing leaves before the dialog. */
export function Chosen() {
  const words = selectWords();
  const dialog = useSignal<{ inquiries: readonly Inquiry[]; verdict: Verdict } | undefined>(undefined);
  const entries = selected.value;
  const count = entries.length;
  const inquiry = entries[0]?.inquiry;
  const action = inquiry?.actions?.[0];
  const online = connection.value === 'live';
  useEffect(() => void readExcluding(online), [online]);
  const ask = (verdict: Verdict) => () =>
    (dialog.value = { inquiries: selected.peek().map((entry) => entry.inquiry), verdict });
  const no: Verdict = decisionKey(action, 'reject') ? 'reject' : 'decline';
  return (
    <>
      <section class="chosen" aria-label={words.selection}>
        <p class="bar-say" role="status">
          {inquiry && action ? (
            <>
              <b>{words.selected(count)}</b>
              {words.allOf(visible(action.name), visible(inquiry.source.name), visible(inquiry.context?.runId ?? ''))}
              {words.seeEach}
            </>
          ) : (
            words.pickSome
          )}
        </p>
        {excluding.value === 'unread' && (
          <p class="bar-say">
            {words.unread} <Quiet onPress={() => void readExcluding(online)}>{words.retry}</Quiet>
          </p>
        )}
        {count > 0 && Array.isArray(excluding.value) && (
          <div class="bar-do">
            <Button look="line" onPress={ask(no)}>
              {words[no](count)}
            </Button>
            {decisionKey(action, 'approve') && <Button onPress={ask('approve')}>{words.approve(count)}</Button>}
          </div>
        )}
      </section>
      {dialog.value && (
        <SelectedDialog
          {...dialog.value}
          onClose={() => (dialog.value = undefined)}
          onDone={() => {
            dialog.value = undefined;
            selection.value = undefined;
          }}
        />
      )}
    </>
  );
}
