import { useState } from 'preact/hooks';
import type { Gate, MadeGate } from '#shared/policies/gate.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { Choice, SubmitBar, useFirstField } from '../app/form/Form.tsx';
import { call } from '../live/api.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { words } from './words.ts';
import { changeOfWritten, type Written, toWritten } from './written.ts';

/** Makes a gate, or changes where it leads and what it does where no rule fits. */
export function EditGate({ gate, onDone }: { gate: Gate | undefined; onDone: (made?: MadeGate) => void }) {
  const t = say(words);
  const form = useFirstField();
  const [written, setWritten] = useState(toWritten(gate));
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    const path = `/v1/gates/${encodeURIComponent(written.name.trim())}`;
    const reply = await call<MadeGate>('PUT', path, changeOfWritten(written, gate));
    setProblem(reply.problem);
    if (reply.ok) onDone(reply.ok);
  };
  return (
    <form
      ref={form}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Blanks gate={gate} written={written} onWrite={(change) => setWritten({ ...written, ...change })} />
      <Refused problem={problem} />
      <SubmitBar cancel={t.cancel} submit={gate ? t.save : t.make} onCancel={() => onDone()} />
    </form>
  );
}

type BlanksProps = { gate: Gate | undefined; written: Written; onWrite: (change: Partial<Written>) => void };

function Blanks({ gate, written, onWrite }: BlanksProps) {
  const t = say(words);
  const line = (label: string, field: 'name' | 'url' | 'credential' | 'to' | 'minutes' | 'holds') => ({
    label,
    value: written[field],
    onWrite: (text: string) => onWrite({ [field]: text }),
    autocomplete: 'off',
    spellcheck: false,
  });
  return (
    <>
      {!gate && <Field {...line(t.name, 'name')} maxLength={39} required />}
      <Field {...line(t.url, 'url')} type="url" required />
      <Field {...line(gate ? t.credentialKept : t.credential, 'credential')} type="password" placeholder="Bearer …" />
      <Field {...line(t.to, 'to')} />
      <Field {...line(t.minutes, 'minutes')} inputMode="numeric" required />
      <Choice label={t.people} value={written.people} words={t.peopleAre} onPick={(people) => onWrite({ people })} />
      <Field {...line(t.holds, 'holds')} inputMode="numeric" />
      <Choice
        label={t.receipt}
        value={written.receipt}
        words={t.receiptIs}
        onPick={(receipt) => onWrite({ receipt })}
      />
      <Choice
        label={t.otherwise}
        value={written.otherwise}
        words={t.otherwiseIs}
        onPick={(otherwise) => onWrite({ otherwise })}
      />
      <Choice
        label={t.elicitation}
        value={written.elicitation}
        words={t.elicitationIs}
        onPick={(elicitation) => onWrite({ elicitation })}
      />
    </>
  );
}
