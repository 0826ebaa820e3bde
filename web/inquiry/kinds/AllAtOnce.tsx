import { useEffect, useRef } from 'preact/hooks';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Button } from '../../ui/Button.tsx';
import { Inline } from '../../ui/UntrustedText.tsx';
import { isHan } from '../../ui/line-breaks.ts';
import type { Part } from '../reply/form/values.ts';
import { questionHeadline } from '../view/headline.ts';
import { Prose } from '../view/Prose.tsx';
import { questionFaults } from '../reply/faults.ts';
import { QuestionReply } from '../reply/QuestionReply.tsx';
import { findPart } from '../reply/state.ts';
import { Bar } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { FIELD, useKeys } from '../view/keys.ts';
import { dialogWords } from '../words.ts';
import { also, mayWrite, readPreface, type QuestionsProps, sendWords } from './acts.tsx';

/** All questions on one page, in their order. */
export function AllAtOnce(props: QuestionsProps) {
  const { inquiry, answering, elsewhere, proposed, place, onMore, onEscape, onHelp, onWrite } = props;
  const words = dialogWords();
  const questions = inquiry.questions ?? [];
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const at = place.step.peek();
    if (at > 0) findHeading(list.current, at)?.scrollIntoView({ block: 'start' });
  }, []);
  const send = () => void answering.send();
  // What is typed goes where somebody is among the questions, and nowhere when that takes no words.
  const write = () => findField(list.current, place.step.peek())?.focus();
  useKeys({ ...(questions.some(mayWrite) ? { write } : {}), enter: send, escape: onEscape, help: onHelp });
  const left = questions.filter(
    (question) => questionFaults(question, findPart(answering.reply, question.id)).length > 0,
  );
  return (
    <>
      <Note inquiry={inquiry} ask={inquiry.title} prose={readPreface(inquiry)}>
        {elsewhere}
      </Note>
      <Margin inquiry={inquiry} />
      <ol class="all-questions" ref={list}>
        {questions.map((question, at) => (
          <li key={question.id} onFocusCapture={() => (place.step.value = at)}>
            <OneOfAll
              inquiry={inquiry}
              question={question}
              at={at}
              part={findPart(answering.reply, question.id)}
              tried={answering.tried}
              onWrite={onWrite}
            />
          </li>
        ))}
      </ol>
      {proposed}
      <Bar
        onMore={onMore}
        problem={answering.problem}
        also={also(props)}
        say={left.length > 0 ? words.leftToAnswer(left.length) : undefined}
      >
        <Button onPress={send} waits={left.length > 0 || answering.busy} cap={SEND_KEYS}>
          {sendWords(props)}
        </Button>
      </Bar>
    </>
  );
}

type OneProps = {
  inquiry: Inquiry;
  question: Question;
  at: number;
  part: Part | undefined;
  tried: boolean;
  onWrite: QuestionsProps['onWrite'];
};

function OneOfAll({ inquiry, question, at, part, tried, onWrite }: OneProps) {
  const { ask, prose } = questionHeadline(question);
  const spoken = inquiry.context?.language;
  const id = `ask-${at + 1}`;
  if (!part) return null;
  return (
    <>
      <div class="note note--one">
        <h2 class="ask ask--one" id={id} tabIndex={-1} dir="auto" lang={spoken ?? (isHan(ask) ? 'zh' : undefined)}>
          <Inline text={ask} />
        </h2>
        <Prose text={prose} lang={spoken} />
      </div>
      <QuestionReply
        inquiry={inquiry}
        question={question}
        part={part}
        tried={tried}
        labelledBy={id}
        name={ask}
        onChange={(next) => onWrite(question, next)}
      />
    </>
  );
}

function findField(list: HTMLOListElement | null, at: number): HTMLElement | null | undefined {
  return list?.children[at]?.querySelector<HTMLElement>(FIELD);
}

function findHeading(list: HTMLOListElement | null, at: number): Element | null | undefined {
  return list?.children[at]?.querySelector('h2');
}
