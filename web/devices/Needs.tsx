import './needs.css';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { AddressCheck } from '#shared/schemas/enrolments.ts';
import { Refused, Wrong } from '../app/form/Wrong.tsx';
import { CopyLine } from '../connect/CopyLine.tsx';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Button, Quiet } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { opensElsewhere } from './opens-elsewhere.ts';
import { needWords } from './needWords.ts';

type NeedsProps = {
  /** The hub has an address that a phone can open, found so at once or after a check. */
  onReady?: () => void;
  /** Goes on with an address that has no https. */
  onAnyway?: () => void;
};

/** What a phone needs and this address has not: https, the two ways to it, and the check of the new address. */
export function Needs({ onReady, onAnyway }: NeedsProps) {
  const t = say(needWords);
  const owner = me.value?.person.owner ?? false;
  const [own, setOwn] = useState<AddressCheck | undefined>();
  const [check, setCheck] = useState<AddressCheck | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const look = async (address?: string) => {
    const reply = await call<AddressCheck>('POST', '/v1/address/check', address === undefined ? {} : { address });
    setProblem(reply.problem);
    if (!reply.ok) return;
    if (address === undefined) setOwn(reply.ok);
    else setCheck(reply.ok);
    if (reply.ok.verdict === 'ok') onReady?.();
  };
  useEffect(() => {
    if (owner) void look();
  }, []);
  if (owner && !own) return <Refused problem={problem} />;
  // A link leads to the hub's own address, wherever this page was opened.
  const at = own?.verdict === 'plain' ? own.address : location.origin;
  const ready = [check, own].find((one) => one?.verdict === 'ok');
  const port = location.port || '4275';
  return (
    <div class="needs">
      <h3>{t.title}</h3>
      <p>
        {t.cameBy} <b>{at}</b>
        {opensElsewhere(at) === 'local' ? t.local : t.plain}
      </p>
      {ready ? (
        <p>
          {t.openThere} <a href={ready.address}>{ready.address}</a>
        </p>
      ) : (
        <>
          <div class="two">
            <Way title={t.tailscale} text={t.tailscaleSay}>
              {`tailscale serve --bg ${port}\nPUBLIC_URL=https://NAME.TAILNET.ts.net TRUST_PROXY=1 npm start`}
            </Way>
            <Way title={t.domain} text={t.domainSay}>
              {`caddy reverse-proxy --from beckon.example.com --to :${port}\nPUBLIC_URL=https://beckon.example.com TRUST_PROXY=1 npm start`}
            </Way>
          </div>
          {owner && <NewAddress check={check} onCheck={look} />}
        </>
      )}
      <Refused problem={problem} />
      {onAnyway && opensElsewhere(at) === 'plain' && (
        <p>
          {t.sameNetwork} <Quiet onPress={onAnyway}>{t.anyway(at)}</Quiet>
        </p>
      )}
    </div>
  );
}

function NewAddress({ check, onCheck }: { check: AddressCheck | undefined; onCheck: (at: string) => Promise<void> }) {
  const t = say(needWords);
  const [address, setAddress] = useState('');
  const [checked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (busy || address.trim() === '') return;
    setBusy(true);
    await onCheck(address.trim());
    setBusy(false);
    setChecked(true);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={t.newAddress}
        value={address}
        onWrite={(text) => {
          setAddress(text);
          setChecked(false);
        }}
        inputMode="url"
        spellcheck={false}
        maxLength={300}
        name="address"
        placeholder="https://"
      />
      {checked && check && <Wrong>{t.verdicts[check.verdict](check.address, check.detail ?? '')}</Wrong>}
      <div class="bar-do">
        <Button look="line" submit waits={busy || address.trim() === ''} onPress={() => {}}>
          {t.check}
        </Button>
      </div>
    </form>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: string }) {
  const t = say(needWords);
  return (
    <div>
      <p>
        <b>{title}</b>
        {t.dot}
        {text}
      </p>
      <CopyLine text={children} label={t.copyCommands(title)} />
    </div>
  );
}
