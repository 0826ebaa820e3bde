import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { lazy } from '../../app/lazy.tsx';
import { SEND_KEYS } from '../../ui/keys.ts';
import { Button } from '../../ui/Button.tsx';
import type { Part } from '../reply/form/values.ts';
import { pickOther, pickPlace, shortChoice } from '../reply/picking.ts';
import { findPart } from '../reply/state.ts';
import { readHeadline, questionHeadline } from '../view/headline.ts';
import { focusField, focusQuestion, useKeys } from '../view/keys.ts';
import { awaitPause } from '../view/presses.ts';
import { questionFaults } from '../reply/faults.ts';
import { QuestionReply } from '../reply/QuestionReply.tsx';
import { Bar } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';
import { also, isSuggested, mayWrite, readPreface, type QuestionsProps, sendWords, SuggestedAtOnce } from './acts.tsx';

const ChoiceButtons = lazy(() => import('./ChoiceButtons.tsx').then(({ ChoiceButtons: ready }) => ready));
// The question that was open stays until all of them can be shown.
const AllAtOnce = lazy(() => import('./AllAtOnce.tsx').then(({ AllAtOnce: ready }) => ready), OneByOne);
// Nothing is said above the first question.
const Answered = lazy(() => import('./Answered.tsx').then(({ Answered: ready }) => ready));

/** Questions, one by one or all at once; turning from one to the other keeps every answer and the place. */
export function Questions(props: KindProps) {
  const { answering, place } = props;
  const onWrite = (question: Question, part: Part) =>
    answering.change((before) => ({ ...before, parts: { ...before.parts, [question.id]: part } }));
  const short = shortChoice(props.inquiry);
  const part = short && findPart(answering.reply, short.id);
  const inWords = useSignal(part?.type === 'choice' && part.otherOn);
  if (short && part?.type === 'choice' && !inWords.value) {
    const turn = () => {
      onWrite(short, pickOther(part));
      inWords.value = true;
    };
    return <ChoiceButtons {...props} question={short} onWords={turn} />;
  }
  return place.all.value ? <AllAtOnce {...props} onWrite={onWrite} /> : <OneByOne {...props} onWrite={onWrite} />;
}

/** Questions, one at a time; nothing is sent before the last. */
function OneByOne(props: QuestionsProps) {
  const { inquiry, answering, elsewhere, proposed, place } = props;
  const { step } = place;
  const questions = inquiry.questions ?? [];
  const question = questions[step.value];
  const part = question && findPart(answering.reply, question.id);
  useLayoutEffect(() => awaitPause(), [step.value]);
  useEffect(() => {
    // What is missing there has the focus then.
    if (step.value > 0 && !answering.tried) focusQuestion(part?.type === 'text');
  }, [step.value]);
  const turnTo = (to: number) => {
    answering.showFaults(false);
    step.value = to;
  };
  useStepOn(step.value, step.value === questions.length - 1, () => {
    const only = question?.type === 'choice' && question.required !== false && part?.type === 'choice';
    const moves = only && !part.otherOn && part.own && part.picks.length > 0 && step.value < questions.length - 1;
    if (moves) turnTo(step.value + 1);
    return moves;
  });
  if (!question || !part) return null;
  const alone = questions.length === 1;
  const heading = alone ? readHeadline(inquiry) : withPreface(inquiry, question, step.value);
  const write = (next: Part) => props.onWrite(question, next);
  return (
    <>
      <Note
        inquiry={inquiry}
        {...heading}
        hail={alone ? undefined : step.value === 0 ? inquiry.title : null}
        before={
          step.value > 0 && <Answered inquiry={inquiry} reply={answering.reply} upTo={step.value} onTurn={turnTo} />
        }
      >
        {elsewhere}
      </Note>
      <Margin inquiry={inquiry} />
      <QuestionReply
        key={question.id}
        inquiry={inquiry}
        question={question}
        part={part}
        tried={answering.tried}
        labelledBy="ask"
        onChange={write}
      />
      {proposed}
      <StepBar {...props} question={question} part={part} write={write} turnTo={turnTo} />
    </>
  );
}

type StepProps = QuestionsProps & {
  question: Question;
  part: Part;
  write: (part: Part) => void;
  turnTo: (step: number) => void;
};

function StepBar(props: StepProps) {
  const { inquiry, answering, place, decline, onMore, part, turnTo } = props;
  const words = dialogWords();
  const questions = inquiry.questions ?? [];
  const alone = questions.length === 1;
  const last = place.step.value === questions.length - 1;
  const { waits, forward } = useForward(props);
  return (
    <Bar
      onMore={onMore}
      problem={answering.problem}
      also={also(
        props,
        !last && isSuggested(props) && (
          <SuggestedAtOnce count={questions.length} onPress={() => void answering.send()} />
        ),
      )}
    >
      {alone && (
        <Button look="line" onPress={decline.press} cap={mayWrite(props.question) ? undefined : 'n'}>
          {decline.say}
        </Button>
      )}
      {place.step.value > 0 && (
        <Button look="line" onPress={() => turnTo(place.step.value - 1)}>
          {words.previous}
        </Button>
      )}
      <Button
        onPress={forward}
        waits={waits || answering.busy}
        cap={part.type === 'text' || part.type === 'form' ? SEND_KEYS : '↵'}
      >
        {last ? sendWords(props) : words.next}
      </Button>
    </Bar>
  );
}

// One way forward for the button and for Enter: the next question, or all of them sent.
function useForward(props: StepProps): { waits: boolean; forward: () => void } {
  const { inquiry, answering, place, question, part, write, turnTo, decline, onEscape, onHelp } = props;
  const { step } = place;
  const questions = inquiry.questions ?? [];
  const waits = questionFaults(question, part).length > 0;
  const forward = () => {
    if (step.value < questions.length - 1) return waits ? answering.showFaults(true) : turnTo(step.value + 1);
    // It judges what is written now, which a quick hand may have written after this was drawn.
    if (answering.send()) return;
    if (waits) return;
    const unfinished = questions.findIndex(({ id }) => answering.faults[0]?.at === id);
    if (unfinished >= 0) step.value = unfinished;
  };
  const openField = () => {
    if ('otherOn' in part && !part.otherOn) write(pickOther(part));
    else focusField();
  };
  useKeys({
    enter: forward,
    // Where words could be meant, a letter is one of them.
    ...(mayWrite(question) ? { write: openField } : { n: decline.press }),
    escape: onEscape,
    help: onHelp,
    ...(part.type === 'choice' || part.type === 'multi'
      ? {
          pick(at: number) {
            const picked = pickPlace(question, part, at);
            if (picked) write(picked);
          },
        }
      : {}),
  });
  return { waits, forward };
}

// What the whole inquiry is about stands on its first page.
function withPreface(inquiry: Inquiry, question: Question, step: number) {
  const { ask, prose } = questionHeadline(question);
  const preface = step === 0 ? readPreface(inquiry) : '';
  return { ask, prose: [preface, prose].filter((text) => text !== '').join('\n\n') };
}

const TICK_MS = 250;
const NO_TAP_MS = 350;
// Where the next step was pressed, the last one sends.
const NO_SEND_MS = 1000;

/**
 * Calls `onward` once the tick of a tapped option was seen; arrows and digits only pick. A tap on an option or on the
 * bar in the first moment of a step was meant for the one before, and does nothing.
 */
function useStepOn(step: number, last: boolean, onward: () => boolean): void {
  const movedAt = useRef(-Infinity);
  const latest = useRef(onward);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  latest.current = onward;
  useEffect(() => {
    if (step > 0) movedAt.current = performance.now();
    const tap = (event: MouseEvent) => {
      const { target, detail } = event;
      if (detail === 0 || !(target instanceof Element) || target.closest('.preview, textarea')) return;
      const option = target.closest('.inquiry .option');
      if (!option && !target.closest('.inquiry .bar')) return;
      clearTimeout(timer.current);
      if (performance.now() - movedAt.current < (last && !option ? NO_SEND_MS : NO_TAP_MS)) {
        event.preventDefault();
        event.stopPropagation();
      } else if (option) timer.current = setTimeout(() => void latest.current(), TICK_MS);
    };
    const stop = () => clearTimeout(timer.current);
    addEventListener('click', tap, true);
    addEventListener('keydown', stop, true);
    return () => {
      stop();
      removeEventListener('click', tap, true);
      removeEventListener('keydown', stop, true);
    };
  }, [step]);
}
