import { visible } from '#shared/visible.ts';
import { me } from '../live/session.ts';
import { Icon } from '../ui/Icon.tsx';
import { Mark } from '../ui/Mark.tsx';
import { stepWords } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';

/** The three taps by which Beckon comes to the Home Screen, and how the app signs in, whose storage is its own. */
export function InstallStep() {
  const t = stepWords();
  return (
    <>
      <ol class="ol">
        <li>
          <span>
            {t.tap} <Icon name="share" /> {t.inBar}
          </span>
        </li>
        <li>
          <span>
            {t.choose} <Icon name="addhome" /> <b>{t.addHome}</b>
            {t.stop}
          </span>
        </li>
        <li>
          <span>{t.openThere}</span>
        </li>
      </ol>
      <p>
        {t.ownStorage} <b class="handle">{visible(me.value?.person.handle ?? 'owner')}</b>
        {t.stop}
        <Space />
        {t.thenAsk}
      </p>
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>
          <b>{t.waitingApp}</b>
          <Space />
          {t.waitingAppSay}
        </span>
      </p>
    </>
  );
}
