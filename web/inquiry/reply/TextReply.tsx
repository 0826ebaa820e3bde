import type { Question } from '#shared/inquiry.ts';
import { Lines } from '../../ui/Lines.tsx';
import { dialogWords } from '../words.ts';
import type { Part, PartOf } from './part.ts';
type TextProps = {
  question: Extract<Question, { type: 'text' }>;
  part: PartOf<'text'>;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** Ruled lines for a text; what is secret stands as dots. */
export function TextReply({ question, part, name, onChange, describedBy, wrong }: TextProps) {
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
