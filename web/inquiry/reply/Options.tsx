import type { Question } from '#shared/inquiry.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Cap } from '../../ui/Slab.tsx';
import { Theirs } from '../../ui/Theirs.tsx';
import { isHan } from '../../ui/theirs.ts';
import { Prose } from '../prose/Prose.tsx';
import { dialogWords } from '../words.ts';
import { optionalPick, pickOption, pickOther, writeOther } from './picking.ts';
import type { PartOf } from './state.ts';

type Asked = Extract<Question, { type: 'choice' | 'multi' }>;
type OptionsProps = {
  question: Asked;
  part: PartOf<'choice' | 'multi'>;
  suggested: readonly string[];
  labelledBy: string;
  describedBy?: string | undefined;
  onChange: (part: PartOf<'choice' | 'multi'>) => void;
};

/** The options of a choice (rings) or of several (squares); "Something else" opens lines in place. */
export function Options({ question, part, suggested, labelledBy, describedBy, onChange }: OptionsProps) {
  const words = dialogWords();
  const multi = question.type === 'multi';
  const input = { type: multi ? 'checkbox' : 'radio', name: `q-${question.id}` } as const;
  const otherPlace = question.options.length;
  return (
    <div
      class={part.own ? 'options' : 'options is-theirs'}
      role={multi ? 'group' : 'radiogroup'}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      {question.options.map((option, place) => (
        <label class="option" key={option.value} lang={isHan(option.label) ? 'zh' : undefined}>
          <input
            {...input}
            checked={part.picks.includes(option.value) && !(part.otherOn && !multi)}
            onChange={() => onChange(pickOption(part, option.value))}
            onClick={() => optionalPick(question, part, option.value, onChange)}
          />
          <Ring multi={multi} />
          <span>
            <b>
              <Theirs text={option.label} />
              {suggested.includes(option.value) && <small>{words.suggested}</small>}
            </b>
            {option.description && (
              <i>
                <Theirs text={option.description} />
              </i>
            )}
          </span>
          {place < 9 ? <Cap>{String(place + 1)}</Cap> : <span />}
          {option.preview && (
            <details class="preview" onClick={(event) => event.stopPropagation()}>
              <summary>{words.preview}</summary>
              <Prose text={option.preview} />
            </details>
          )}
        </label>
      ))}
      {question.allowOther && (
        <label class="option">
          <input
            {...input}
            checked={part.otherOn}
            onChange={() => onChange(pickOther(part))}
            aria-label={words.somethingElse}
          />
          <Ring multi={multi} />
          {part.otherOn ? (
            <span>
              <Lines
                value={part.other}
                rows={2}
                label={words.somethingElse}
                theirs={!part.own}
                onWrite={(text) => onChange(writeOther(part, text))}
                linesRef={focusWhenOwn(part)}
              />
            </span>
          ) : (
            <span>
              <b>{words.somethingElse}</b>
              <i>{words.somethingElseMore}</i>
            </span>
          )}
          {otherPlace < 9 ? <Cap>{String(otherPlace + 1)}</Cap> : <span />}
        </label>
      )}
    </div>
  );
}

function Ring({ multi }: { multi: boolean }) {
  return (
    <span class={multi ? 'ring ring--box' : 'ring'}>
      <Mark name="tick" />
    </span>
  );
}

function focusWhenOwn(part: PartOf<'choice' | 'multi'>) {
  return (area: HTMLTextAreaElement | null) => {
    if (area && part.own && part.other === '' && document.activeElement !== area) area.focus();
  };
}
