import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { connection } from '../../live/store.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { selection } from '../many/long.ts';
import { selected, wholeRun } from '../many/view.ts';
import { decisionKey, excluding, readExcluding, type Verdict } from './like.ts';
import { RunDialog } from './RunDialog.tsx';
import { SelectedDialog } from './SelectedDialog.tsx';
import { selectWords } from './words.ts';

export { RunDialog } from './RunDialog.tsx';

/** How many are selected, what all of them are, and what can be done with them; nothing leaves before the dialog. */
export function Chosen() {
  const words = selectWords();
  const dialog = useSignal<{ entries: readonly InquiryEntry[]; verdict: Verdict } | undefined>(undefined);
  const entries = selected.value;
  const count = entries.length;
  const inquiry = entries[0]?.inquiry;
  const action = inquiry?.actions?.[0];
  const online = connection.value === 'live';
  useEffect(() => void readExcluding(online), [online]);
  const ask = (verdict: Verdict) => () => (dialog.value = { entries: selected.peek(), verdict });
  const ofRun = wholeRun.value !== undefined;
  const no: Verdict = ofRun || decisionKey(action, 'reject') ? 'reject' : 'decline';
  const of = [ofRun ? undefined : action?.name, inquiry?.source.name, inquiry?.context?.runId].filter(
    (part) => part !== undefined,
  );
  return (
    <>
      <section class="chosen" aria-label={words.selection}>
        <p class="bar-say" role="status">
          {!inquiry ? (
            words.pickSome
          ) : action ? (
            <>
              <b>{(ofRun ? words.callsOfRun : words.calls)(count)}</b> {of.map((part) => visible(part)).join(', ')}.
            </>
          ) : (
            <>
              <b>{words.questions(count)}</b> {words.gets.decline}
            </>
          )}
        </p>
        {action && excluding.value === 'unread' && (
          <p class="bar-say">
            {words.unread} <Quiet onPress={() => void readExcluding(online)}>{words.retry}</Quiet>
          </p>
        )}
        {count > 0 && (!action || Array.isArray(excluding.value)) && (
          <div class="bar-do">
            {action ? (
              <Button look="line" onPress={ask(no)}>
                {words.act[no](count)}
              </Button>
            ) : (
              <Button look="line" onPress={() => (selection.value = undefined)}>
                {words.cancel}
              </Button>
            )}
            {action ? (
              (ofRun || decisionKey(action, 'approve')) && (
                <Button onPress={ask('approve')}>{words.act.approve(count)}</Button>
              )
            ) : (
              <Button onPress={ask('decline')}>{words.act.decline(count)}</Button>
            )}
          </div>
        )}
      </section>
      {dialog.value && <Asking {...dialog.value} onClose={() => (dialog.value = undefined)} />}
    </>
  );
}

function Asking({
  entries,
  verdict,
  onClose,
}: {
  entries: readonly InquiryEntry[];
  verdict: Verdict;
  onClose: () => void;
}) {
  const onDone = () => {
    onClose();
    selection.value = undefined;
  };
  // Calls of a run may each take other decisions: its list says which are not in it.
  if (wholeRun.value !== undefined && verdict !== 'decline')
    return <RunDialog {...{ entries, verdict, onClose, onDone }} />;
  return <SelectedDialog inquiries={entries.map(({ inquiry }) => inquiry)} {...{ verdict, onClose, onDone }} />;
}
