import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Slab.tsx';
import { install, installable } from './browser/install.ts';
import { words } from './words.ts';

/** How to keep the page on this device like an app, where it can be and is not yet. */
export function InstallOffer() {
  const t = say(words);
  if (!installable.value) return null;
  return (
    <p class="lede">
      {installable.value === 'ios' ? (
        t.iosInstall
      ) : (
        <>
          {t.installSay} <Quiet onPress={() => void install()}>{t.install}</Quiet>
        </>
      )}
    </p>
  );
}
