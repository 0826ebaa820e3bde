import { HubIcon } from '../app/HubIcon.tsx';
import { browserOf } from '../sign-in/device-name.ts';
import { Toast } from '../ui/shell/Toast.tsx';
import { say } from '../ui/language.ts';
import { clockTime } from '../ui/times.ts';
import { visible } from '#shared/visible.ts';
import { words } from './words.ts';

type AccessRequestToastProps = {
  asked: { deviceName: string; userAgent: string; address: string; expiresAt: string };
  onReview: () => void;
  onLater: () => void;
};

/** A sign-in request while a question is open. */
export function AccessRequestToast({ asked, onReview, onLater }: AccessRequestToastProps) {
  const t = say(words);
  return (
    <Toast
      label={t.request}
      by={
        <>
          <b>{t.request}</b> · {t.until(clockTime(Date.parse(asked.expiresAt)))}
        </>
      }
      name={t.wants(visible(asked.deviceName))}
      more={t.from(browserOf(asked.userAgent), asked.address)}
      icon={<HubIcon />}
      putOff={{ say: t.notNow, press: onLater }}
      open={{ say: t.review, press: onReview }}
    />
  );
}
