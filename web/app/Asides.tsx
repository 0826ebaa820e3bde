import { useSignal } from '@preact/signals';
import { LetItRing } from '../push/LetItRing.tsx';
import { Ribbon } from '../ui/desk/Ribbon.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Slab.tsx';
import { choose, isChosen } from './browser/choices.ts';
import { declineInstall, install, installable } from './browser/install.ts';
import { Unreached } from './Unreached.tsx';
import { words } from './words.ts';

/** Ribbons that can wait: what nobody heard, what this address cannot do, how to be rung and how to install. */
export function Asides() {
  return (
    <>
      <Unreached />
      <PlainHttp />
      <LetItRing />
      <Install />
    </>
  );
}

function PlainHttp() {
  const t = say(words);
  const seen = useSignal(isChosen('plainHttp'));
  if (isSecureContext || seen.value) return null;
  const hide = () => {
    choose('plainHttp');
    seen.value = true;
  };
  return (
    <Ribbon quiet icon="mute" act={<Quiet onPress={hide}>{t.fine}</Quiet>}>
      {t.plainHttp}
    </Ribbon>
  );
}

function Install() {
  const t = say(words);
  if (!installable.value) return null;
  const byHand = installable.value === 'ios';
  return (
    <Ribbon
      quiet
      icon={byHand ? 'share' : 'addhome'}
      act={
        <>
          {!byHand && <Quiet onPress={() => void install()}>{t.install}</Quiet>}
          <Quiet onPress={declineInstall}>{t.notNow}</Quiet>
        </>
      }
    >
      {byHand ? t.iosInstall : t.installSay}
    </Ribbon>
  );
}
