import { useState } from 'preact/hooks';
import type { AddressCheck } from '#shared/schemas/enrolments.ts';
import { Wrong } from '../app/form/Wrong.tsx';
import { CopyLine } from '../connect/CopyLine.tsx';
import { Field } from '../ui/Field.tsx';
import { Quiet, Button } from '../ui/Button.tsx';
import { opensElsewhere } from './steps.ts';
import { stepWords } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';

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
export function NeedsAddress({ own, check, onCheck, onAnyway }: NeedsAddressProps) {
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
