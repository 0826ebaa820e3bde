import { useEffect, useRef } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Button } from '../../ui/Button.tsx';
import { readHeadline } from '../view/headline.ts';
import { Bar } from '../view/Bar.tsx';
import { Note } from '../view/Note.tsx';
import { useKeys } from '../view/keys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';

/** Declining with words, or without where it could not be undone. */
export function Declining({
  inquiry,
  answering,
  onBack,
  onHelp,
}: Pick<KindProps, 'inquiry' | 'answering' | 'onHelp'> & { onBack: () => void }) {
  const words = dialogWords();
  const lines = useRef<HTMLTextAreaElement>(null);
  const { reply, change, decline } = answering;
  useEffect(() => {
    // Under a thumb a keyboard that comes by itself would cover what the tap has begun.
    if (!matchMedia('(pointer: coarse)').matches) lines.current?.focus();
  }, []);
  useKeys({ write: () => lines.current?.focus(), enter: () => decline(reply.text), escape: onBack, help: onHelp });
  const ask = words.declineAsk(visible(inquiry.source.name));
  return (
    <>
      <Note inquiry={inquiry} ask={readHeadline(inquiry).ask} prose="" />
      <section class="reply" aria-label={ask}>
        <p class="label">{ask}</p>
        <Lines
          label={ask}
          value={reply.text}
          rows={2}
          onWrite={(text) => change((before) => ({ ...before, text }))}
          linesRef={lines}
        />
      </section>
      <Bar problem={answering.problem}>
        <Button look="line" onPress={onBack}>
          {words.back}
        </Button>
        <Button onPress={() => decline(reply.text)} waits={answering.busy} cap={SEND_KEYS}>
          {words.decline}
        </Button>
      </Bar>
    </>
  );
}
