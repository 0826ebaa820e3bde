import { useId } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import type { Fault } from '#shared/problem.ts';
import { Choice } from '../../app/form/Form.tsx';
import { Wrong } from '../../app/form/Wrong.tsx';
import { Field } from '../../ui/Field.tsx';
import { language, say } from '../../ui/language.ts';
import { Lines } from '../../ui/Lines.tsx';
import { words } from '../words.ts';
import { type Blank, BLANKS, type Written } from './written.ts';

type BlanksProps = {
  connection: Connection | undefined;
  written: Written;
  wrongOf: (blank: Blank) => Fault | undefined;
  onWrite: (change: Partial<Written>) => void;
};

/** What a connection of this kind has, to be filled in. */
export function Blanks({ connection, written, wrongOf, onWrite }: BlanksProps) {
  const t = say(words);
  const { kind } = written;
  const saved =
    connection && (connection.hasApiKey || connection.headerNames.length > 0 || connection.hasInboundSecret);
  const line = (name: Blank, label: string) =>
    BLANKS[kind].includes(name) && {
      name,
      label,
      value: written[name],
      wrong: sayOptions(wrongOf(name)),
      onWrite: (text: string) => onWrite({ [name]: text }),
      autocomplete: 'off',
      spellcheck: false,
    };
  const one = (props: ReturnType<typeof line>, more: object = {}) => props && <Field {...props} {...more} />;
  const several = (props: ReturnType<typeof line>, rows: number) => props && <Several {...props} rows={rows} />;
  return (
    <>
      {one(line('name', t.name), { maxLength: 80 })}
      {one(line('baseUrl', t.baseUrl[kind]), { type: 'url', placeholder: 'https://' })}
      {one(line('answerUrl', t.answerUrl[kind]), { type: 'url', placeholder: 'https://' })}
      {one(line('to', t.to))}
      {one(line('deadline', t.deadline), { inputMode: 'numeric' })}
      {one(line('platformLimit', t.platformLimit), { inputMode: 'numeric' })}
      {one(line('apiKey', connection?.hasApiKey ? t.apiKeyKept : t.apiKey), { type: 'password' })}
      {several(
        line('headers', connection?.headerNames.length ? t.headersKept(connection.headerNames.join(', ')) : t.headers),
        2,
      )}
      {one(line('inboundSecret', connection?.hasInboundSecret ? t.inboundSecretKept : t.inboundSecret), {
        type: 'password',
        placeholder: 'whsec_…',
      })}
      {saved && (
        <label class="check">
          <input
            type="checkbox"
            checked={written.forget}
            onChange={(event) => onWrite({ forget: event.currentTarget.checked })}
          />{' '}
          {t.forget(kind === 'inbound')}
        </label>
      )}
      {several(line('answer', t.answer), 4)}
      {BLANKS[kind].includes('interruptAnswer') && (
        <Choice
          label={t.interruptAnswer}
          value={written.interruptAnswer}
          words={t.interruptAnswers}
          onPick={(interruptAnswer) => onWrite({ interruptAnswer })}
        />
      )}
    </>
  );

  function sayOptions(fault: Fault | undefined): string | undefined {
    if (!fault) return undefined;
    return (language.value === 'zh' ? t.faults[fault.code] : undefined) ?? t.fault(fault.message);
  }
}

type SeveralProps = {
  label: string;
  value: string;
  wrong: string | undefined;
  rows: number;
  onWrite: (text: string) => void;
};

function Several({ label, value, wrong, rows, onWrite }: SeveralProps) {
  const id = useId();
  return (
    <>
      <label class="label" for={id}>
        {label}
      </label>
      <Lines
        code
        id={id}
        rows={rows}
        value={value}
        wrong={wrong !== undefined}
        describedBy={wrong && `${id}w`}
        onWrite={onWrite}
      />
      {wrong && (
        <div id={`${id}w`}>
          <Wrong>{wrong}</Wrong>
        </div>
      )}
    </>
  );
}
