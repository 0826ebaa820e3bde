import { useEffect, useRef } from 'preact/hooks';
import { Lines } from '../../ui/Lines.tsx';
import { Slab } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { headlineOf } from '../headline.ts';
import { Bar } from '../sheet/Bar.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';
import { Refused } from './Refused.tsx';

/** Declining, with or without words; an answer like any other. */
export function Declining({ inquiry, answering, onBack, onHelp }: KindProps & { onBack: () => void }) {
  const words = dialogWords();
  const lines = useRef<HTMLTextAreaElement>(null);
  useEffect(() => lines.current?.focus(), []);
  const { reply, change, decline } = answering;
  useKeys({ enter: () => decline(reply.text), escape: onBack, help: onHelp });
  const ask = words.declineAsk(visible(inquiry.source.name));
  return (
    <>
      <Note inquiry={inquiry} ask={headlineOf(inquiry).ask} prose="" />
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
      <Refused problem={answering.problem} />
      <Bar>
        <Slab look="line" onPress={onBack}>
          {words.back}
        </Slab>
        <Slab onPress={() => decline(reply.text)} waits={answering.busy} cap="⌘↵">
          {words.decline}
        </Slab>
      </Bar>
    </>
  );
}
