import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { useFresh } from '../../inquiry/view/presses.ts';
import { entries } from '../../live/store.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Call } from './Call.tsx';
import { decideTogether, type Outcome } from './decide.ts';
import type { Verdict } from './like.ts';
import { Lost } from './Lost.tsx';
import { useSeen } from './useSeen.ts';
import { selectWords } from './words.ts';

type SelectedDialogProps = { inquiries: readonly Inquiry[]; verdict: Verdict; onClose: () => void; onDone: () => void };

/**
 * Shows each selected call whole before they are decided together. What is decided is what stands here: what arrives
 * meanwhile is not added, what was answered elsewhere is taken out, and an approval waits until each end was seen.
 */
export function SelectedDialog({ inquiries, verdict, onClose, onDone }: SelectedDialogProps) {
  const words = selectWords();
  const list = useRef<HTMLOListElement>(null);
  const fresh = useFresh();
  const out = useSignal<ReadonlySet<string>>(new Set());
  const state = useSignal<'asking' | 'sending' | Outcome>('asking');
  const open = new Set(entries.value.filter(({ resolution }) => !resolution).map(({ inquiry }) => inquiry.id));
  const listed = inquiries.filter(({ id }) => !out.value.has(id));
  const live = listed.filter(({ id }) => open.has(id));
  const ids = useMemo(() => live.map(({ id }) => id), [live.map(({ id }) => id).join()]);
  const { unseen, show } = useSeen(list, ids);
  if (typeof state.value === 'object') return <Lost outcome={state.value} verdict={verdict} onClose={onDone} />;
  const [first] = inquiries;
  const waits = verdict === 'approve' && unseen.length > 0;
  const send = async () => {
    if (fresh.value || state.value !== 'asking' || live.length === 0) return;
    if (waits) return show();
    state.value = 'sending';
    const outcome = await decideTogether(live, verdict);
    if (outcome.lost.length === 0) onDone();
    else state.value = outcome;
  };
  const leaveOut = (id: string) => {
    out.value = new Set(out.value).add(id);
    if (listed.length === 1) onClose();
  };
  return (
    <Dialog title={words.title[verdict](live.length)} onClose={onClose} tall onEnter={() => void send()}>
      <p class="hint">
        {first && aboutAll(first)}
        {words.gets[verdict]}
      </p>
      <ol ref={list} tabIndex={0} aria-label={words.selection}>
        {listed.map((inquiry, at) => (
          <Call
            key={inquiry.id}
            inquiry={inquiry}
            at={at}
            gone={!open.has(inquiry.id)}
            onLeaveOut={() => leaveOut(inquiry.id)}
          />
        ))}
      </ol>
      {waits && (
        <button type="button" class="below" onClick={show}>
          <span>{words.below(unseen.length)}</span>
        </button>
      )}
      <div class="bar-do">
        <Button look="line" onPress={onClose}>
          {words.cancel}
        </Button>
        <Button onPress={() => void send()} waits={waits} {...(waits ? { small: words.seeEnd } : {})}>
          {state.value === 'sending' ? words.sending : words.act[verdict](live.length)}
        </Button>
      </div>
    </Dialog>
  );
}

function aboutAll({ source, context, actions = [] }: Inquiry): string {
  const words = selectWords();
  const [action] = actions;
  const of = [action?.name ?? '', source.name, context?.runId ?? '']
    .filter(Boolean)
    .map((part) => visible(part))
    .join(', ');
  return context?.cwd ? of + words.inFolder(visible(context.cwd)) : `${of}. `;
}
