import { useEffect, useState } from 'preact/hooks';
import type { Connection, ConnectionKind, NewConnectionReply } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { SubmitBar, useFirstField } from '../../app/form/Form.tsx';
import { Tabs } from '../../connect/Tabs.tsx';
import { call } from '../../live/api.ts';
import { me } from '../../live/session.ts';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { useCheck } from '../useConnections.ts';
import { words } from '../words.ts';
import { Blanks } from './Blanks.tsx';
import { type Blank, toBody, toWritten, wrongIn } from './written.ts';

type EditProps = {
  connection: Connection | undefined;
  /** Where a person begins to write. */
  first?: Blank;
  onDone: (made?: NewConnectionReply) => void;
};

/** Makes a connection, or changes one; what the hub finds wrong stands at its field. */
export function EditConnection({ connection, first = 'name', onDone }: EditProps) {
  const t = say(words);
  const form = useFirstField(`[name="${first}"]`);
  const [written, setWritten] = useState(() => toWritten(connection, me.value?.person.handle ?? ''));
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const check = useCheck('/v1/connections/check');
  const wrong = problem && wrongIn(written.kind, problem);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    const body = toBody(written, connection);
    const reply = connection
      ? await call<never>('PATCH', `/v1/connections/${connection.id}`, body)
      : await call<NewConnectionReply>('POST', '/v1/connections', body);
    setBusy(false);
    setProblem(reply.problem);
    if (!reply.problem) onDone(connection ? undefined : reply.ok);
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
      {!connection && <Kind kind={written.kind} onPick={(kind) => setWritten({ ...written, kind })} />}
      <Blanks
        connection={connection}
        written={written}
        wrongOf={(blank) => wrong?.of(blank)}
        onWrite={(change) => setWritten({ ...written, ...change })}
      />
      {!connection && written.kind !== 'inbound' && (
        <>
          <Quiet onPress={() => void check.run(toBody(written, undefined)).then(setProblem)}>{t.checkNow}</Quiet>
          <p class="hint" role="status">
            {check.found}
          </p>
        </>
      )}
      <Refused problem={wrong?.elsewhere ? problem : undefined} />
      <SubmitBar cancel={t.cancel} submit={connection ? t.save : t.make} waits={busy} onCancel={() => onDone()} />
    </form>
  );
}

function Kind({ kind, onPick }: { kind: ConnectionKind; onPick: (kind: ConnectionKind) => void }) {
  const t = say(words);
  return (
    <>
      <Tabs
        label={t.kind}
        name="kind"
        look="seg"
        value={kind}
        options={Object.entries(t.kinds)}
        onPick={(picked) => onPick(picked as ConnectionKind)}
      />
      <p class="hint">{t.kindSay[kind]}</p>
    </>
  );
}
