import { me } from '../live/session.ts';
import { say } from '../ui/language.ts';
import { words } from './words.ts';

/** The places under Settings, as words. */
export function SettingsPlaces({ here }: { here: '/settings' | '/devices' | '/passkeys' }) {
  const t = say(words);
  return (
    <nav class="sub" aria-label={t.title}>
      {(
        [
          ['/settings', t.onPage],
          ['/devices', t.devices],
          ['/passkeys', t.passkeys],
          ...(me.value?.preferences.firstSteps === 'done' ? [] : [['/steps', t.steps] as const]),
        ] as const
      ).map(([href, word]) => (
        <a key={href} href={href} aria-current={href === here ? 'page' : undefined}>
          {word}
        </a>
      ))}
    </nav>
  );
}
