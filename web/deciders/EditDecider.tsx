import '../connections/connections.css';
import { useId, useState } from 'preact/hooks';
import type { Decider } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { SubmitBar, useFirstField } from '../app/form/Form.tsx';
import { Tabs } from '../connect/Tabs.tsx';
import { call } from '../live/api.ts';
import { Field } from '../ui/Field.tsx';
import { Lines } from '../ui/Lines.tsx';
import { toBody, type Written, toWritten } from './written.ts';
import { deciderWords } from './words.ts';

type EditProps = { decider: Decider | undefined; onCancel: () => void; onSaved: (decider: Decider) => void };

/** Makes a stand-in, or changes one; the key is written and never shown. */
export function EditDecider({ decider, onCancel, onSaved }: EditProps) {
  const t = deciderWords();
  const form = useFirstField('[name="name"]');
  const [written, setWritten] = useState(() => toWritten(decider));
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const write = (change: Partial<Written>) => setWritten({ ...written, ...change });
  const save = async () => {
    if (busy) return;
    setBusy(true);
    const body = toBody(written, decider);
    const reply = decider
      ? await call<Decider>('PATCH', `/v1/deciders/${decider.id}`, body)
      : await call<Decider>('POST', '/v1/deciders', body);
    setBusy(false);
    setProblem(reply.problem);
    if (reply.ok) onSaved(reply.ok);
  };
  return (
    <form
      ref={form}
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {!decider && (
        <Tabs
          label={t.kind}
          name="kind"
          look="seg"
          value={written.kind}
          options={Object.entries(t.kinds)}
          onPick={(kind) => write({ kind: kind as Written['kind'] })}
        />
      )}
      <Blanks {...{ decider, written, write }} />
      <Refused problem={problem} />
      <SubmitBar cancel={t.cancel} submit={t.save} waits={busy} onCancel={onCancel} />
    </form>
  );
}

type BlanksProps = Pick<EditProps, 'decider'> & { written: Written; write: (change: Partial<Written>) => void };

function Blanks({ decider, written, write }: BlanksProps) {
  const t = deciderWords();
  const instructions = useId();
  const field = (name: Exclude<keyof Written, 'kind' | 'forget'>, label: string, more: object = {}) => (
    <Field
      {...{ name, label, ...more }}
      value={written[name]}
      onWrite={(text) => write({ [name]: text })}
      autocomplete="off"
      spellcheck={false}
    />
  );
  return (
    <>
      {field('name', t.name, { maxLength: 80 })}
      {field('url', t.url[written.kind], { type: 'url', placeholder: 'https://' })}
      {written.kind === 'chat' ? field('model', t.model) : field('tool', t.tool)}
      {field('key', decider?.hasKey ? t.keyKept : t.key, { type: 'password' })}
      {decider?.hasKey && (
        <label class="check">
          <input
            type="checkbox"
            checked={written.forget}
            onChange={(event) => write({ forget: event.currentTarget.checked })}
          />{' '}
          {t.forget}
        </label>
      )}
      <label class="label" for={instructions}>
        {t.instructions}
      </label>
      <Lines
        id={instructions}
        rows={4}
        value={written.instructions}
        onWrite={(text) => write({ instructions: text })}
      />
      {field('holdSeconds', t.hold, { inputMode: 'numeric' })}
      {field('timeoutSeconds', t.timeout, { inputMode: 'numeric' })}
    </>
  );
}
