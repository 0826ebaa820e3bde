import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { install, installable } from './browser/install.ts';

const words = {
  en: {
    installSay: 'Beckon can be installed on this device.',
    install: 'Install Beckon',
    iosInstall: 'To install Beckon on this device: tap Share, then “Add to Home Screen”, and open it from there.',
  },
  zh: {
    installSay: 'Beckon 可以安装在这台设备上。',
    install: '安装 Beckon',
    iosInstall: '在这台设备上安装 Beckon：点“分享”，选“添加到主屏幕”，再从那里打开。',
  },
};

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
