import { SEND_KEYS } from '../../ui/keys.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Button } from '../../ui/Button.tsx';
import { focusField, useKeys } from '../view/keys.ts';
import { readHeadline } from '../view/headline.ts';
import { Suggestion } from '../reply/QuestionReply.tsx';
import { Bar, FaultHint } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';

/** An inquiry that is answered in free words. */
export function Written(props: KindProps) {
  const { inquiry, answering, elsewhere, extension, proposed, decline, onMore, onEscape, onHelp } = props;
  const words = dialogWords();
  const { reply, change, faults, tried } = answering;
  const send = () => void answering.send();
  useKeys({ write: focusField, enter: send, escape: onEscape, help: onHelp });
  const suggestion = inquiry.suggested?.text ?? '';
  const asSuggested = suggestion !== '' && !reply.own && faults.length === 0;
  const fault = tried ? faults[0] : undefined;
  return (
    <>
      <Note inquiry={inquiry} {...readHeadline(inquiry)}>
        {elsewhere}
      </Note>
      <Margin inquiry={inquiry} />
      <section class="reply" aria-label={words.yourAnswer}>
        <Suggestion
          source={inquiry.source.name}
          present={suggestion !== ''}
          own={reply.own}
          onBack={answering.restart}
        />
        <Lines
          label={words.yourAnswer}
          suggested={!reply.own}
          wrong={fault !== undefined}
          describedBy={fault ? 'why' : 'ask'}
          value={reply.text}
          rows={4}
          onWrite={(text) => change((before) => ({ ...before, text }))}
        />
        <FaultHint fault={fault} id="why" />
      </section>
      {proposed}
      <Bar also={extension} onMore={onMore} problem={answering.problem}>
        <Button look="line" onPress={decline.press}>
          {decline.say}
        </Button>
        <Button onPress={send} waits={faults.length > 0 || answering.busy} cap={SEND_KEYS}>
          {asSuggested ? words.sendSuggested : words.send}
        </Button>
      </Bar>
    </>
  );
}
