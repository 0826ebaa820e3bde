import type { Leaving } from './Confirm.tsx';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Inquiry } from '#shared/inquiry.ts';
import { lazy } from '../../app/lazy.tsx';
import { preferencesFor } from '../../live/preferences.ts';
import { replyFaults } from '../reply/faults.ts';
import type { Answering } from '../reply/useReply.ts';

const Confirm = lazy(() => import('./Confirm.tsx').then(({ Confirm: ready }) => ready));

/** The same answering; for a person who wants to be asked again, whole answers wait in a dialog until they say so. */
export function useConfirming(inquiry: Inquiry, given: Answering): { answering: Answering; dialog: ComponentChildren } {
  const leaving = useSignal<Leaving | undefined>(undefined);
  if (!preferencesFor(inquiry.source.id).confirm) return { answering: given, dialog: undefined };
  const now = leaving.value;
  return {
    answering: {
      ...given,
      send(update = (before) => before) {
        const reply = update(given.reply);
        if (replyFaults(inquiry, reply).length > 0) return given.send(update);
        leaving.value = { reply };
        return true;
      },
      decline(message) {
        leaving.value = { declined: message };
      },
    },
    dialog: now && (
      <Confirm
        inquiry={inquiry}
        leaving={now}
        onBack={() => (leaving.value = undefined)}
        onSend={() => {
          leaving.value = undefined;
          if ('declined' in now) given.decline(now.declined);
          else given.send(() => now.reply);
        }}
      />
    ),
  };
}
