import { useSignal } from '@preact/signals';
import { LetItRing } from '../push/LetItRing.tsx';
import { Ribbon } from '../ui/desk/Ribbon.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Slab.tsx';
import { choose, isChosen } from './browser/choices.ts';
import { Unreached } from './Unreached.tsx';
import { words } from './words.ts';

/** Ribbons that can wait: what nobody heard, what this address cannot do and how to be rung. */
export function Asides() {
  return (
    <div class="asides">
      <Unreached />
      <PlainHttp />
      <LetItRing />
    </div>
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
