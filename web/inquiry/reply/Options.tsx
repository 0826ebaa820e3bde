import type { Question } from '#shared/inquiry.ts';
import { labelsOf } from '#shared/call-name/labels.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Cap } from '../../ui/Button.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { isHan } from '../../ui/line-breaks.ts';
import { Prose } from '../view/Prose.tsx';
import { dialogWords } from '../words.ts';
import type { PartOf } from './form/values.ts';
import { optionalPick, pickOption, pickOther, writeOther } from './picking.ts';
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
  const multi = question.type === 'multi';
  const labels = labelsOf(question.options);
  const input = { type: multi ? 'checkbox' : 'radio', name: `q-${question.id}` } as const;
  return (
    <div
      class={part.own ? 'options' : 'options is-suggested'}
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
          <OptionWords option={option} label={labels[place] ?? ''} suggested={suggested.includes(option.value)} />
          <Place of={place} />
          {option.preview && <Preview text={option.preview} />}
        </label>
      ))}
      {question.allowOther && <Other {...{ question, part, input, onChange }} />}
    </div>
  );
}

function OptionWords({
  option,
  label,
  suggested,
}: {
  option: Asked['options'][number];
  label: string;
  suggested: boolean;
}) {
  const words = dialogWords();
  return (
    <span>
      <b dir="auto">
        <UntrustedText text={label} />
        {suggested && <small>{words.suggested}</small>}
      </b>
      {option.description && (
        <i dir="auto">
          <UntrustedText text={option.description} />
        </i>
      )}
    </span>
  );
}

function Preview({ text }: { text: string }) {
  const words = dialogWords();
  return (
    <details class="preview" onClick={(event) => event.stopPropagation()}>
      <summary>{words.preview}</summary>
      <Prose text={text} />
    </details>
  );
}

type OtherProps = Pick<OptionsProps, 'question' | 'part' | 'onChange'> & {
  input: { type: 'checkbox' | 'radio'; name: string };
};

function Other({ question, part, input, onChange }: OtherProps) {
  const words = dialogWords();
  return (
    <label class="option">
      <input
        {...input}
        checked={part.otherOn}
        onChange={() => onChange(pickOther(part))}
        aria-label={words.somethingElse}
      />
      <Ring multi={question.type === 'multi'} />
      {part.otherOn ? (
        <span>
          <Lines
            value={part.other}
            rows={2}
            label={words.somethingElse}
            suggested={!part.own}
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
      <Place of={question.options.length} />
    </label>
  );
}

function Place({ of }: { of: number }) {
  return of < 9 ? <Cap>{String(of + 1)}</Cap> : <span />;
}

/** The ring or square of an option, with its tick. */
export function Ring({ multi }: { multi: boolean }) {
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
