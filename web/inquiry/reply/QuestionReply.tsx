import { useId } from 'preact/hooks';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { later } from '../../app/later.tsx';
import { Lines } from '../../ui/Lines.tsx';
import { Quiet } from '../../ui/Slab.tsx';
import { visible } from '../../ui/theirs.ts';
import { dialogWords } from '../words.ts';
import { questionFaults } from './faults.ts';
import { faultWords } from './faultWords.ts';
import { formOf } from './form.ts';
import { Options } from './Options.tsx';
import { type Part, type PartOf, firstReply } from './state.ts';

const FormFields = later(() => import('./FormFields.tsx').then(({ FormFields: ready }) => ready));

type QuestionProps = {
  inquiry: Inquiry;
  question: Question;
  part: Part;
  tried: boolean;
  labelledBy: string;
  onChange: (part: Part) => void;
};

/** The place to answer one question, whatever its type, with its limits and what is wrong. */
export function QuestionReply({ inquiry, question, part, tried, labelledBy, onChange }: QuestionProps) {
  const words = dialogWords();
  const id = useId();
  const fault = tried ? questionFaults(question, part).find(({ field }) => field === undefined) : undefined;
  const limit =
    question.type === 'multi'
      ? words.pickBetween(question.min ?? (question.required === false ? 0 : 1), question.max)
      : '';
  const describedBy = [limit && `${id}h`, fault && `${id}w`].filter(Boolean).join(' ') || undefined;
  return (
    <section class="reply" aria-label={words.yourAnswer}>
      {limit && (
        <p class="label" id={`${id}h`}>
          {limit}
        </p>
      )}
      <Kind
        {...{ inquiry, question, part, tried, labelledBy, onChange }}
        describedBy={describedBy}
        wrong={fault !== undefined}
      />
      {fault && (
        <p class="hint is-wrong" id={`${id}w`} role="alert">
          {faultWords(words, fault)}
        </p>
      )}
      {!fault && question.required === false && question.type !== 'form' && (
        <p class="hint">{`${words.optional}.`.replace(/^./, (letter) => letter.toUpperCase())}</p>
      )}
    </section>
  );
}

function Kind({
  inquiry,
  question,
  part,
  tried,
  labelledBy,
  onChange,
  describedBy,
  wrong,
}: QuestionProps & { describedBy: string | undefined; wrong: boolean }) {
  const first = firstReply(inquiry).parts[question.id];
  if (question.type === 'text' && part.type === 'text') {
    return (
      <Text
        {...{ inquiry, question, part, onChange, describedBy, wrong }}
        suggestion={first?.type === 'text' ? first.text : ''}
      />
    );
  }
  if ((question.type === 'choice' || question.type === 'multi') && (part.type === 'choice' || part.type === 'multi')) {
    const suggested = first && 'picks' in first ? first.picks : [];
    return <Options {...{ question, part, suggested, labelledBy, describedBy, onChange }} />;
  }
  if (question.type !== 'form' || part.type !== 'form') return null;
  const fields = formOf(question.schema);
  if (fields)
    return (
      <FormFields
        fields={fields}
        raw={part.raw}
        own={part.own}
        tried={tried}
        onChange={(raw) => onChange({ ...part, own: true, raw })}
      />
    );
  return <JsonForm schema={question.schema} part={part} describedBy={describedBy} wrong={wrong} onChange={onChange} />;
}

type TextProps = {
  inquiry: Inquiry;
  question: Extract<Question, { type: 'text' }>;
  part: PartOf<'text'>;
  suggestion: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

function Text({ inquiry, question, part, suggestion, onChange, describedBy, wrong }: TextProps) {
  const words = dialogWords();
  const write = (text: string) => onChange({ ...part, own: true, text });
  if (question.secret) {
    return (
      <>
        <input
          class="lines"
          type="password"
          aria-label={words.yourAnswer}
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
    <>
      <Suggestion
        source={inquiry.source.name}
        suggestion={suggestion}
        own={part.own}
        onBack={() => onChange({ ...part, own: false, text: suggestion })}
      />
      <Lines
        label={words.yourAnswer}
        value={part.text}
        rows={question.multiline ? 4 : 2}
        theirs={!part.own}
        wrong={wrong}
        describedBy={describedBy}
        onWrite={write}
      />
    </>
  );
}

/** Whose words stand on the lines, and the way back to the suggestion. */
export function Suggestion({
  source,
  suggestion,
  own,
  onBack,
}: {
  source: string;
  suggestion: string;
  own: boolean;
  onBack: () => void;
}) {
  const words = dialogWords();
  if (suggestion === '') return null;
  return (
    <div class="label">
      <span>{own ? words.yourWords : words.suggestedBy(visible(source))}</span>
      {own && <Quiet onPress={onBack}>{words.bringBack}</Quiet>}
    </div>
  );
}

function JsonForm({
  schema,
  part,
  onChange,
  describedBy,
  wrong,
}: {
  schema: Record<string, unknown>;
  part: PartOf<'form'>;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
}) {
  const words = dialogWords();
  return (
    <>
      <p class="label">{words.form.asJson}</p>
      <details class="preview">
        <summary>{words.form.schema}</summary>
        <pre class="schema">{visible(JSON.stringify(schema, undefined, 2))}</pre>
      </details>
      <Lines
        code
        label={words.yourAnswer}
        value={part.json}
        rows={6}
        theirs={!part.own}
        wrong={wrong}
        describedBy={describedBy}
        onWrite={(json) => onChange({ ...part, own: true, json })}
      />
    </>
  );
}
