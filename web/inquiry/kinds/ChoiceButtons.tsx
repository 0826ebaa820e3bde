import type { Inquiry, Option } from '#shared/inquiry.ts';
import { labelsOf } from '#shared/call-name/labels.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { readHeadline } from '../view/headline.ts';
import { pickOption, type shortChoice } from '../reply/picking.ts';
import { firstReply, findPart, type Reply } from '../reply/state.ts';
import { Bar } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { useKeys } from '../view/keys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';

type ButtonsProps = KindProps & { question: NonNullable<ReturnType<typeof shortChoice>>; onWords: () => void };

/** A question whose answers are two or three buttons: one tap answers, and for a moment it can be undone. */
export function ChoiceButtons(props: ButtonsProps) {
  const { inquiry, question, answering, elsewhere, extension, proposed, decline, onWords, onMore } = props;
  const words = dialogWords();
  const suggested = readPicks(firstReply(inquiry), question.id)[0];
  const chosen = readPicks(answering.reply, question.id)[0] ?? suggested;
  const labels = labelsOf(question.options);
  const options = suggestedFirst(question.options, suggested);
  const send = ({ value }: Option) =>
    void answering.send((before) => {
      const part = findPart(before, question.id);
      if (part?.type !== 'choice') return before;
      return { ...before, own: true, parts: { ...before.parts, [question.id]: pickOption(part, value) } };
    });
  const said = options.find(({ value }) => value === chosen);
  useKeys({
    // Where words could be meant, a letter or a digit is one of them.
    ...(question.allowOther
      ? { write: onWords }
      : {
          pick: (at: number) => options[at] && send(options[at]),
          n: decline.press,
          ...(said ? { enter: () => send(said) } : {}),
        }),
    escape: props.onEscape,
    help: props.onHelp,
  });
  return (
    <>
      <Note inquiry={inquiry} {...readHeadline(inquiry)}>
        {elsewhere}
      </Note>
      <Margin inquiry={inquiry} />
      {proposed}
      <Bar
        tall
        onMore={onMore}
        problem={answering.problem}
        also={
          <>
            {extension}
            {question.allowOther && <Quiet onPress={onWords}>{words.inWords}</Quiet>}
            <Quiet onPress={decline.press}>{decline.say}</Quiet>
          </>
        }
      >
        {options.map((option, at) => (
          <Button
            key={option.value}
            look={option.value === chosen ? 'do' : 'line'}
            stop
            onPress={() => send(option)}
            waits={answering.busy}
            cap={question.allowOther ? undefined : String(at + 1)}
            small={sayMore(option, option.value === suggested)}
          >
            <UntrustedText text={labels[question.options.indexOf(option)] ?? ''} />
          </Button>
        ))}
      </Bar>
    </>
  );
}

function readPicks(reply: Reply, id: Inquiry['id']): readonly string[] {
  const part = findPart(reply, id);
  return part?.type === 'choice' && !part.otherOn ? part.picks : [];
}

function suggestedFirst(options: readonly Option[], suggested: string | undefined): Option[] {
  return options.toSorted((a, b) => Number(b.value === suggested) - Number(a.value === suggested));
}

function sayMore({ description = '' }: Option, suggested: boolean): string | undefined {
  const words = dialogWords();
  return [suggested ? words.suggested : '', description].filter(Boolean).join(words.between) || undefined;
}
