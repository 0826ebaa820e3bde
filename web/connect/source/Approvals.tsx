import { useEffect, useState } from 'preact/hooks';
import type { Passkeys, Proof } from '#shared/schemas/passkeys.ts';
import type { Problem } from '#shared/problem.ts';
import type { ChangeSource, Source } from '#shared/wire.ts';
import { SubmitBar } from '../../app/form/Form.tsx';
import { Refused, RefusedHere } from '../../app/form/Wrong.tsx';
import { call } from '../../live/api.ts';
import { prove } from '../../passkeys/ceremony.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { say } from '../../ui/language.ts';
import { SettingChoice, SettingRow } from '../../ui/SettingRows.tsx';
import { approvalWords } from './approvalWords.ts';

type ApprovalsProps = { source: Source; onSaved: (source: Source) => void };

const HOLDS = [300, 3600, 28_800, 86_400, 604_800];
const PEOPLE = [1, 2, 3, 4, 5];
const STEPS_MOST = 5;

/** What an approval of this source's calls takes, and how long it holds, where its ask does not say more. */
export function Approvals({ source, onSaved }: ApprovalsProps) {
  const t = say(approvalWords);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [asking, ask] = useState(false);
  const { id, validFor, approvals, escalate = [] } = source;
  const change = async (part: Partial<ChangeSource>) => {
    const reply = await call<Source>('PATCH', `/v1/sources/${id}`, part);
    setProblem(reply.problem);
    if (reply.ok) onSaved(reply.ok);
    return reply.problem;
  };
  const passkey = useScope(`source ${id}`, setProblem);
  const [only, more] = escalate;
  const count = approvals?.count ?? 1;
  const holds = [...new Set([...HOLDS, ...(validFor === undefined ? [] : [validFor])])].toSorted((a, b) => a - b);
  return (
    <details class="approvals">
      <summary class="quiet">
        <span class="link">{t.title}</span>
      </summary>
      <RefusedHere problem={problem} />
      <ul class="sets">
        <SettingChoice
          name={t.people}
          hint={t.peopleSay}
          value={String(count)}
          options={PEOPLE.map((one) => [String(one), t.count(one)] as const)}
          onPick={(picked) => void change({ approvals: picked === '1' ? null : { count: Number(picked) } })}
        />
        {passkey.on !== undefined && (
          <SettingChoice
            name={t.how}
            hint={t.howSay}
            value={passkey.on ? 'passkey' : 'tap'}
            options={(['tap', 'passkey'] as const).map((one) => [one, t[one]] as const)}
            onPick={(picked) => void passkey.turn(picked === 'passkey')}
          />
        )}
        <SettingChoice
          name={t.holds}
          hint={t.holdsSay}
          value={String(validFor ?? '')}
          options={[['', t.usual] as const, ...holds.map((one) => [String(one), t.lasts(one)] as const)]}
          onPick={(picked) => void change({ validFor: picked === '' ? null : Number(picked) })}
        />
        <SettingRow
          name={t.escalate}
          value={
            only === undefined
              ? t.nobody
              : more
                ? t.steps(escalate.length)
                : t.step(t.lasts(only.after), only.to.join(', '))
          }
          opens={() => ask(true)}
        />
      </ul>
      {asking && <Escalation {...{ escalate, change }} onClose={() => ask(false)} />}
    </details>
  );
}

/** Whether the owner wants a passkey for these calls; turned off with one. */
function useScope(scope: string, onProblem: (problem: Problem | undefined) => void) {
  const [scopes, setScopes] = useState<string[] | undefined>();
  const read = () => call<Passkeys>('GET', '/v1/passkeys').then(({ ok }) => ok && setScopes(ok.scopes));
  useEffect(() => void read(), []);
  const turn = async (on: boolean) => {
    const proved = on ? { ok: {} as Proof } : await prove({ does: 'release', id: scope }, '');
    const path = `/v1/passkeys/scopes${on ? '' : '/release'}`;
    onProblem(proved.problem ?? (await call('POST', path, { scope, ...proved.ok })).problem);
    await read();
  };
  return { on: scopes?.includes(scope), turn };
}

type Steps = NonNullable<Source['escalate']>;
type EscalationProps = {
  escalate: Steps;
  change: (part: Partial<ChangeSource>) => Promise<Problem | undefined>;
  onClose: () => void;
};

/** Who is asked too while nobody answers, and after how many minutes; a step without names is left out. */
function Escalation({ escalate, change, onClose }: EscalationProps) {
  const t = say(approvalWords);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [steps, setSteps] = useState(() =>
    [
      ...escalate.map(({ after, to }) => ({ minutes: String(after / 60), to: to.join(', ') })),
      { minutes: '', to: '' },
    ].slice(0, STEPS_MOST),
  );
  const write = (at: number, part: Partial<(typeof steps)[number]>) =>
    setSteps(steps.map((step, place) => (place === at ? { ...step, ...part } : step)));
  const save = async () => {
    const written = steps.flatMap(({ minutes, to }) => {
      const handles = to.split(/[\s,，]+/).filter(Boolean);
      return handles.length === 0 ? [] : [{ after: Math.round(Number(minutes) * 60), to: handles }];
    });
    const refused = await change({ escalate: written.length === 0 ? null : written });
    setProblem(refused);
    if (!refused) onClose();
  };
  return (
    <Dialog title={t.escalate} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {steps.map(({ minutes, to }, at) => (
          <div key={at} class="field-gap">
            <Field
              label={t.after(at + 1)}
              value={minutes}
              onWrite={(text) => write(at, { minutes: text })}
              inputMode="numeric"
              autocomplete="off"
            />
            <Field
              label={t.whom(at + 1)}
              value={to}
              onWrite={(text) => write(at, { to: text })}
              autocomplete="off"
              spellcheck={false}
            />
          </div>
        ))}
        <Refused problem={problem} />
        <SubmitBar cancel={t.cancel} submit={t.save} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
