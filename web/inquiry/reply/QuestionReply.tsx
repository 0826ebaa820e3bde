import { useId, useMemo } from 'preact/hooks';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { lazy } from '../../app/lazy.tsx';
import { Lines } from '../../ui/Lines.tsx';
import { Quiet } from '../../ui/Button.tsx';
import { FaultHint } from '../view/Bar.tsx';
import { dialogWords } from '../words.ts';
import type { Part, PartOf } from './form/values.ts';
import { questionFaults } from './faults.ts';
import { Options } from './Options.tsx';
import { firstReply, findPart } from './state.ts';

const FormReply = lazy(() => import('./form/FormReply.tsx').then(({ FormReply: ready }) => ready));

type QuestionProps = {
  inquiry: Inquiry;
  question: Question;
  part: Part;
  tried: boolean;
  labelledBy: string;
  /** What the place is called aloud, where several stand on one page. */
  name?: string;
  onChange: (part: Part) => void;
};

/** The place to answer one question, whatever its type, with its limits, what was suggested and what is wrong. */
export function QuestionReply(props: QuestionProps) {
  const { inquiry, question, part, tried, labelledBy, name, onChange } = props;
  const words = dialogWords();
  const id = useId();
  const first = useMemo(() => findPart(firstReply(inquiry), question.id), [inquiry, question]);
  const fault = tried ? questionFaults(question, part).find(({ field }) => field === undefined) : undefined;
  const limit = sayLimit(question);
  const describedBy = [limit && `${id}h`, fault && `${id}w`].filter(Boolean).join(' ') || undefined;
  return (
    <section
      class="reply"
      {...(name === undefined ? { 'aria-label': words.yourAnswer } : { 'aria-labelledby': labelledBy })}
    >
      <Suggestion
        source={inquiry.source.name}
        present={first !== undefined && isSuggested(inquiry, first)}
        own={part.own}
        onBack={() => first && onChange(first)}
      />
      {limit && (
        <p class="label" id={`${id}h`}>
          {limit}
        </p>
      )}
      <Kind {...props} first={first} describedBy={describedBy} wrong={fault !== undefined} />
      <FaultHint fault={fault} id={`${id}w`} />
      {!fault && question.required === false && (
        <p class="hint">{`${words.optional}.`.replace(/^./, (letter) => letter.toUpperCase())}</p>
      )}
    </section>
  );
}

type PlaceProps = QuestionProps & { first: Part | undefined; describedBy: string | undefined; wrong: boolean };

function Kind({ question, part, first, tried, labelledBy, name, onChange, describedBy, wrong }: PlaceProps) {
  const words = dialogWords();
  const shared = { name: name ?? words.yourAnswer, onChange, describedBy, wrong };
  if (question.type === 'text')
    return part.type === 'text' ? (
      <TextReply {...shared} describedBy={describedBy ?? labelledBy} question={question} part={part} />
    ) : null;
  if (question.type === 'form')
    return part.type === 'form' ? <FormReply {...shared} {...{ part, first, tried }} schema={question.schema} /> : null;
  if (part.type !== 'choice' && part.type !== 'multi') return null;
  const suggested = first && 'picks' in first ? first.picks : [];
  return <Options {...{ question, part, suggested, labelledBy, describedBy, onChange }} />;
}

function sayLimit(question: Question): string {
  const words = dialogWords();
  if (question.type !== 'multi') return '';
  return words.pickBetween(question.min ?? (question.required === false ? 0 : 1), question.max);
}

// Defaults that stand in a schema are suggestions of the asker's, too.
function isSuggested({ suggested }: Inquiry, first: Part): boolean {
  switch (first.type) {
    case 'text':
      return first.text !== '';
    case 'choice':
    case 'multi':
      return first.picks.length > 0 || first.otherOn;
    case 'form':
      return suggested !== undefined && first.json !== '';
  }
}

type TextProps = {
  question: Extract<Question, { type: 'text' }>;
  part: PartOf<'text'>;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** Ruled lines for a text; what is secret stands as dots. */
function TextReply({ question, part, name, onChange, describedBy, wrong }: TextProps) {
  const words = dialogWords();
  const write = (text: string) => onChange({ ...part, own: true, text });
  if (question.secret) {
    return (
      <>
        <input
          class="lines"
          type="password"
          aria-label={name}
          autocomplete="off"
          value={part.text}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={describedBy}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <p class="hint">{words.secretNote}</p>
      </>
    );
  }
  return (
    <Lines
      label={name}
      value={part.text}
      rows={question.multiline ? 4 : 2}
      suggested={!part.own}
      wrong={wrong}
      describedBy={describedBy}
      onWrite={write}
    />
  );
}

type SuggestionProps = { source: string; present: boolean; own: boolean; onBack: () => void };

/** Whose words or picks stand there, and the way back to the suggestion. */
export function Suggestion({ source, present, own, onBack }: SuggestionProps) {
  const words = dialogWords();
  if (!present) return null;
  return (
    <div class="label">
      <span>{own ? words.yourWords : words.suggestedBy(visible(source))}</span>
      {own && <Quiet onPress={onBack}>{words.bringBack}</Quiet>}
    </div>
  );
}
