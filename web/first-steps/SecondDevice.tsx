import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { AddressCheck, EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { Refused, Wrong } from '../app/form/Wrong.tsx';
import { Passage } from '../devices/Passage.tsx';
import { words as deviceWords } from '../devices/words.ts';
import { call } from '../live/api.ts';
import { makeLink } from '../devices/enrol.ts';
import { claims } from '../live/enrolments.ts';
import { me } from '../live/session.ts';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Button, Quiet } from '../ui/Button.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { CopyLine } from '../connect/CopyLine.tsx';
import { Field } from '../ui/Field.tsx';
import { opensElsewhere } from './steps.ts';
import { stepWords } from './words.ts';

/** The way in for a phone: first an address that it can open, then a code to scan, then a number to pick. */
export function SecondDevice() {
  const t = stepWords();
  const d = say(deviceWords);
  const [own, setOwn] = useState<AddressCheck | undefined>();
  const [check, setCheck] = useState<AddressCheck | undefined>();
  const [link, setLink] = useState<EnrolmentLink | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const opened = claims.value.some(({ enrolmentId }) => enrolmentId === link?.enrolmentId);
  const [spent, setSpent] = useState(false);
  const draw = async () => {
    setSpent(false);
    const reply = await makeLink();
    setProblem(reply.problem);
    if (reply.ok) setLink(reply.ok);
  };
  const look = async (address?: string) => {
    const reply = await call<AddressCheck>('POST', '/v1/address/check', address === undefined ? {} : { address });
    setProblem(reply.problem);
    if (!reply.ok) return;
    if (address === undefined) setOwn(reply.ok);
    setCheck(reply.ok);
    if (reply.ok.verdict === 'ok') await draw();
  };
  useEffect(() => {
    void (opensElsewhere(location.origin) === 'ok' ? draw() : look());
  }, []);
  useEffect(() => {
    if (opened) setSpent(true);
  }, [opened]);
  if (!link)
    return (
      <>
        {own && check && check.verdict !== 'ok' && (
          <NeedsAddress {...{ own, check }} onCheck={look} onAnyway={() => void draw()} />
        )}
        <Refused problem={problem} />
      </>
    );
  return (
    <>
      {spent ? (
        !opened && <Quiet onPress={() => void draw()}>{d.another}</Quiet>
      ) : (
        <Passage link={link.link} expiresAt={link.expiresAt} onAnother={() => void draw()} />
      )}
      <Refused problem={problem} />
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>
          <b>{t.waitingPhone}</b>
          <Space />
          {t.waitingPhoneSay}
        </span>
      </p>
      <p class="hint">{d.byHandle(me.value?.person.handle ?? 'owner')}</p>
    </>
  );
}

type NeedsAddressProps = {
  /** What the hub says of its own address. */
  own: AddressCheck;
  /** The same, or what it says of the address that a person entered since. */
  check: AddressCheck;
  onCheck: (address: string) => Promise<void>;
  /** Goes on with an address that has no https. */
  onAnyway: () => void;
};

/** Why no code is drawn yet, the two ways to an address that a phone can open, and the check of it. */
function NeedsAddress({ own, check, onCheck, onAnyway }: NeedsAddressProps) {
  const t = stepWords();
  const [address, setAddress] = useState('');
  const [checked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  // A link leads to the hub's own address, wherever this page was opened.
  const at = own.verdict === 'plain' ? own.address : location.origin;
  const plain = opensElsewhere(at) === 'plain';
  const port = location.port || '4275';
  const submit = async () => {
    if (busy || address.trim() === '') return;
    setBusy(true);
    await onCheck(address.trim());
    setBusy(false);
    setChecked(true);
  };
  return (
    <>
      <p class="warn">
        <span>
          <b>{plain ? t.plainTitle : t.localTitle}</b>
          <Space />
          {plain ? t.plainSay(at) : t.localSay(at)}
        </span>
      </p>
      <div class="two">
        <Way title={t.tailnet} text={t.tailnetSay} copy={t.copyCommands}>
          {`tailscale serve --bg ${port}\nPUBLIC_URL=https://NAME.TAILNET.ts.net TRUST_PROXY=1 npm start`}
        </Way>
        <Way title={t.domain} text={t.domainSay} copy={t.copyCommands}>
          {`caddy reverse-proxy --from beckon.example.com --to :${port}\nPUBLIC_URL=https://beckon.example.com TRUST_PROXY=1 npm start`}
        </Way>
      </div>
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
        {checked && <Wrong>{t.verdicts[check.verdict](check.address, check.detail ?? '')}</Wrong>}
        <div class="bar-do">
          <Button submit waits={busy || address.trim() === ''} onPress={() => {}}>
            {t.check}
          </Button>
        </div>
      </form>
      {plain && (
        <p class="hint">
          {t.sameNetwork} <Quiet onPress={onAnyway}>{t.anyway}</Quiet>
        </p>
      )}
    </>
  );
}

function Way({ title, text, copy, children }: { title: string; text: string; copy: string; children: string }) {
  return (
    <div>
      <p>
        <b>{title}</b>
      </p>
      <p>{text}</p>
      <CopyLine text={children} label={copy} />
    </div>
  );
}
