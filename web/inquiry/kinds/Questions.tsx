import { useEffect } from 'preact/hooks';
import { answerText } from '#shared/text.ts';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { language } from '../../ui/language.ts';
import { Quiet, Slab } from '../../ui/Slab.tsx';
import { Theirs } from '../../ui/Theirs.tsx';
import { visible } from '../../ui/theirs.ts';
import { firstLine, headlineOf, questionHeadline } from '../headline.ts';
import { contentOf } from '../reply/content.ts';
import { questionFaults } from '../reply/faults.ts';
import { formOf, formWords } from '../reply/form.ts';
import { pickPlace } from '../reply/picking.ts';
import { QuestionReply } from '../reply/QuestionReply.tsx';
import type { Part, Reply } from '../reply/state.ts';
import { Bar } from '../sheet/Bar.tsx';
import { Margin } from '../sheet/Facts.tsx';
import { Note } from '../sheet/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';
import { Refused } from './Refused.tsx';

/** Questions, one at a time; nothing is sent before the last. */
export function Questions(props: KindProps) {
  const { inquiry, answering, elsewhere, step } = props;
  const questions = inquiry.questions ?? [];
  const question = questions[step.value];
  const part = question && answering.reply.parts[question.id];
  useEffect(() => {
    if (step.value > 0) document.getElementById('ask')?.focus({ preventScroll: true });
  }, [step.value]);
  if (!question || !part) return null;
  const alone = questions.length === 1;
  const heading = alone ? headlineOf(inquiry) : withPreface(inquiry, question, step.value);
  const write = (next: Part) =>
    answering.change((before) => ({ ...before, parts: { ...before.parts, [question.id]: next } }));
  const turnTo = (place: number) => {
    answering.showFaults(false);
    step.value = place;
  };
  return (
    <>
      <Note
        inquiry={inquiry}
        {...heading}
        hail={alone ? undefined : step.value === 0 ? inquiry.title : null}
        before={step.value > 0 && <Said inquiry={inquiry} reply={answering.reply} upTo={step.value} onTurn={turnTo} />}
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
      <Refused problem={answering.problem} />
      <StepBar {...props} question={question} part={part} write={write} turnTo={turnTo} />
    </>
  );
}

type StepProps = KindProps & {
  question: Question;
  part: Part;
  write: (part: Part) => void;
  turnTo: (place: number) => void;
};

function StepBar(props: StepProps) {
  const { inquiry, answering, step, extension, onDecline, onMore, part, turnTo } = props;
  const words = dialogWords();
  const questions = inquiry.questions ?? [];
  const alone = questions.length === 1;
  const { waits, forward } = useForward(props);
  const asSuggested = inquiry.suggested !== undefined && !answering.reply.own && answering.faults.length === 0;
  const sendWords = asSuggested ? words.sendSuggested : alone ? words.send : words.sendAll(questions.length);
  const decline = !alone && <Quiet onPress={onDecline}>{words.decline}</Quiet>;
  return (
    <Bar onMore={onMore} also={(extension || decline) && [extension, decline]}>
      {alone && (
        <Slab look="line" onPress={onDecline} cap="n">
          {words.decline}
        </Slab>
      )}
      {step.value > 0 && (
        <Slab look="line" onPress={() => turnTo(step.value - 1)}>
          {words.back}
        </Slab>
      )}
      <Slab
        onPress={forward}
        waits={waits || answering.busy}
        cap={part.type === 'text' || part.type === 'form' ? '⌘↵' : '↵'}
      >
        {step.value < questions.length - 1 ? words.next : sendWords}
      </Slab>
    </Bar>
  );
}

// One way forward for the slab and for Enter: the next question, or all of them sent.
function useForward(props: StepProps): { waits: boolean; forward: () => void } {
  const { inquiry, answering, step, question, part, write, turnTo, onDecline, onEscape, onHelp } = props;
  const questions = inquiry.questions ?? [];
  const waits = questionFaults(question, part).length > 0;
  const forward = () => {
    if (waits) return answering.showFaults(true);
    if (step.value < questions.length - 1) return turnTo(step.value + 1);
    if (answering.send()) return;
    const unfinished = questions.findIndex(({ id }) => answering.faults[0]?.at === id);
    if (unfinished >= 0) step.value = unfinished;
  };
  useKeys({
    enter: forward,
    n: onDecline,
    escape: onEscape,
    help: onHelp,
    pick(place) {
      const picked = part.type === 'choice' || part.type === 'multi' ? pickPlace(question, part, place) : undefined;
      if (picked) write(picked);
    },
  });
  return { waits, forward };
}

/** What was answered on earlier pages; a tap goes back to it. */
function Said({
  inquiry,
  reply,
  upTo,
  onTurn,
}: {
  inquiry: Inquiry;
  reply: Reply;
  upTo: number;
  onTurn: (place: number) => void;
}) {
  const words = dialogWords();
  return (
    <ul class="said" aria-label={words.said}>
      {(inquiry.questions ?? []).slice(0, upTo).map((question, place) => {
        const said = saidWords(question, reply);
        return (
          <li key={question.id}>
            <button type="button" onClick={() => onTurn(place)}>
              <span>
                <Theirs text={question.header ?? firstLine(question.prompt)} />
              </span>
              <b class={said === undefined ? 'is-blank' : undefined}>
                {said === undefined ? words.blank : visible(said)}
              </b>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function saidWords(question: Question, reply: Reply): string | undefined {
  const part = reply.parts[question.id];
  const fields = question.type === 'form' ? formOf(question.schema) : undefined;
  if (fields && part?.type === 'form') return formWords(fields, part.raw) || undefined;
  const alone = { questions: [question] };
  const content = contentOf(alone as Inquiry, reply);
  if (content.values?.[question.id] === undefined && content.other?.[question.id] === undefined) return undefined;
  return answerText(alone, content, language.value);
}

// What the whole inquiry is about stands on its first page.
function withPreface(inquiry: Inquiry, question: Question, step: number) {
  const { ask, prose } = questionHeadline(question);
  const preface =
    step === 0 && inquiry.prompt && firstLine(inquiry.prompt) !== inquiry.title
      ? inquiry.prompt
      : step === 0
        ? (inquiry.prompt ?? '').split(/\r?\n/).slice(1).join('\n').trim()
        : '';
  return { ask, prose: [preface, prose].filter((text) => text !== '').join('\n\n') };
}
