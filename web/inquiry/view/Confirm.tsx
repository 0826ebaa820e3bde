import { useEffect, useRef } from 'preact/hooks';
import { answerText } from '#shared/text.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { now } from '../../ui/clock.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { language } from '../../ui/language.ts';
import { Button } from '../../ui/Button.tsx';
import type { Reply } from '../reply/state.ts';
import { toContent } from '../reply/content.ts';
import { timeLeft } from './countdown.ts';
import { useFresh } from './presses.ts';
import { viewWords } from './words.ts';

type ConfirmProps = {
  inquiry: Inquiry;
  leaving: Leaving;
  /** What it reaches beyond this inquiry. */
  covers?: string | undefined;
  onBack: () => void;
  onSend: () => void;
};

/** What is about to leave, shown once more: it is sent only from here. */
export function Confirm({ inquiry, leaving, covers, onBack, onSend }: ConfirmProps) {
  const words = viewWords().confirm;
  const declined = 'declined' in leaving;
  const said = declined ? leaving.declined : answerText(inquiry, toContent(inquiry, leaving.reply), language.value);
  // The press that brought this dialog is not the one that sends.
  const fresh = useFresh();
  const send = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // What cannot be taken back is not sent by one more Enter.
    if (covers === undefined && !inquiry.actions?.some(({ caution }) => caution)) send.current?.focus();
  }, []);
  const up = timeLeft(inquiry, now.value).state === 'up';
  return (
    <Dialog title={(declined ? words.decline : words.send)(visible(inquiry.source.name))} onClose={onBack}>
      {said.trim() === '' ? (
        <p class="dim">{words.noWords}</p>
      ) : (
        <p class="quote leaving" dir="auto">
          {visible(said.trim())}
        </p>
      )}
      {covers && <p>{covers}</p>}
      <div class="bar-do">
        <Button look="line" onPress={onBack}>
          {words.back}
        </Button>
        <Button onPress={() => !fresh.peek() && !up && onSend()} waits={up} buttonRef={send}>
          {declined ? words.doDecline : words.doSend}
        </Button>
      </div>
    </Dialog>
  );
}

/** What is about to leave: an answer, or a decline with its words. */
export type Leaving = { reply: Reply } | { declined: string };
