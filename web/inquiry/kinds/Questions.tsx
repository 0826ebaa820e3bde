import { useSignal } from '@preact/signals';
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
export function Questions({
  inquiry,
  answering,
  elsewhere,
  extension,
  onDecline,
  onMore,
  onEscape,
  onHelp,
  onProgress,
}: KindProps) {
  const words = dialogWords();
  const step = useSignal(0);
  const { reply, change, faults } = answering;
  const questions = inquiry.questions ?? [];
  const question = questions[step.value];
  const part = question && reply.parts[question.id];
  const alone = questions.length === 1;
  const last = step.value === questions.length - 1;
  useEffect(() => {
    if (!alone) onProgress({ place: step.value + 1, of: questions.length });
    if (step.value > 0) document.getElementById('ask')?.focus({ preventScroll: true });
  }, [step.value, alone]);
  if (!question || !part) return null;

  const wrongHere = questionFaults(question, part).length > 0;
  const turnTo = (place: number) => {
    answering.showFaults(false);
    step.value = place;
  };
  const forward = () => {
    if (wrongHere) return answering.showFaults(true);
    if (!last) return turnTo(step.value + 1);
    if (answering.send()) return undefined;
    const unfinished = questions.findIndex(({ id }) => faults[0]?.at === id);
    if (unfinished >= 0) step.value = unfinished;
    return undefined;
  };
  const write = (next: Part) => change((before) => ({ ...before, parts: { ...before.parts, [question.id]: next } }));
  useKeysOf({
    question,
    part,
    write,
    forward,
    back: step.value > 0 ? () => turnTo(step.value - 1) : undefined,
    onDecline,
    onEscape,
    onHelp,
  });

  const asSuggested = inquiry.suggested !== undefined && !reply.own && faults.length === 0;
  const heading = alone ? headlineOf(inquiry) : withPreface(inquiry, question, step.value);
  const decline = (
    <Slab look="line" onPress={onDecline} cap="n">
      {words.decline}
    </Slab>
  );
  return (
    <>
      <Note
        inquiry={inquiry}
        {...heading}
        hail={alone ? undefined : step.value === 0 ? inquiry.title : null}
        before={step.value > 0 && <Said inquiry={inquiry} reply={reply} upTo={step.value} onTurn={turnTo} />}
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
      {answering.problem && (
        <div class="reply">
          <Refused problem={answering.problem} />
        </div>
      )}
      <Bar
        onMore={onMore}
        also={
          <>
            {extension}
            {!alone && <Quiet onPress={onDecline}>{words.decline}</Quiet>}
          </>
        }
      >
        {alone && decline}
        {step.value > 0 && (
          <Slab look="line" onPress={() => turnTo(step.value - 1)}>
            {words.back}
          </Slab>
        )}
        <Slab
          onPress={forward}
          waits={wrongHere || answering.busy}
          cap={part.type === 'text' || part.type === 'form' ? '⌘↵' : '↵'}
        >
          {!last
            ? words.next
            : asSuggested
              ? words.sendSuggested
              : alone
                ? words.send
                : words.sendAll(questions.length)}
        </Slab>
      </Bar>
    </>
  );
}

type StepKeys = {
  question: Question;
  part: Part;
  write: (part: Part) => void;
  forward: () => void;
  back: (() => void) | undefined;
} & Pick<KindProps, 'onDecline' | 'onEscape' | 'onHelp'>;

function useKeysOf({ question, part, write, forward, onDecline, onEscape, onHelp }: StepKeys): void {
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
