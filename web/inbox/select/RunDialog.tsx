import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InquiryEntry } from '../../live/entry.ts';
import { connection } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { excluding, readExcluding } from './like.ts';
import { ofRun } from './ofRun.ts';
import { SelectedDialog } from './SelectedDialog.tsx';
import { selectWords } from './words.ts';

type RunDialogProps = {
  entries: readonly InquiryEntry[];
  verdict: 'approve' | 'reject';
  onClose: () => void;
  /** They were decided; without it, that closes the list. */
  onDone?: () => void;
};

/** The calls of a run, each whole, before they are decided together; it says what is left out of it, and why. */
export function RunDialog({ entries, verdict, onClose, onDone = onClose }: RunDialogProps) {
  const words = selectWords();
  const online = connection.value === 'live';
  // What stands here does not change while it is read.
  const run = useSignal<ReturnType<typeof ofRun> | undefined>(undefined);
  const read = async () => {
    await readExcluding(online);
    if (excluding.peek() !== 'unread') run.value ??= ofRun(entries, verdict, now.peek());
  };
  useEffect(() => void read(), [online]);
  if (!run.value)
    return (
      <Dialog title={words.reading} onClose={onClose}>
        {excluding.value === 'unread' && (
          <p class="hint" role="status">
            {words.unread} <Quiet onPress={() => void read()}>{words.retry}</Quiet>
          </p>
        )}
      </Dialog>
    );
  const { inquiries, apart } = run.value;
  const left = [...apart].map(([why, count]) => words.apart[why](count));
  const notIn = left.length > 0 ? words.notIn(left) : undefined;
  if (inquiries.length > 0) return <SelectedDialog {...{ inquiries, verdict, notIn, onClose, onDone }} />;
  return (
    <Dialog title={words.noneLeft} onClose={onClose}>
      <p class="hint">{notIn}</p>
      <div class="bar-do">
        <Button onPress={onClose}>{words.ok}</Button>
      </div>
    </Dialog>
  );
}
