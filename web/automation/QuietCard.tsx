import type { Quiet } from '#shared/policies/quiet.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { me } from '../live/session.ts';
import { cityElsewhere } from '../quiet/time-zone.ts';
import { useQuiet } from '../quiet/useQuiet.ts';
import { quietWords } from '../quiet/words.ts';
import { now } from '../ui/clock.ts';
import { Switch } from '../ui/Switch.tsx';
import { automationWords } from './words.ts';

/** Quiet hours in one sentence each, with a switch for all of them, and whether what is not answered rings again. */
export function QuietCard() {
  const t = automationWords();
  const { quiet, turn, problem } = useQuiet();
  const { reminders = 'never' } = me.value?.preferences ?? {};
  const { ringAgain, again } = quietWords();
  const { high = false, sources = [] } = quiet?.through ?? {};
  const rings = t.rings[high ? 'high' : sources.length > 0 ? 'sources' : 'none'];
  const city = [cityElsewhere(now.peek())].filter(Boolean).map(t.timeOf);
  const spanOf = ({ from, to, days }: Quiet['spans'][number]) => t.quietSpan(from, to, days ? t.some : t.every);
  return (
    <section class="panel" aria-labelledby="automation-quiet">
      <div class="kindof">
        <h2 id="automation-quiet">{t.quiet}</h2>
      </div>
      <Refused problem={problem} />
      <ol class="autos">
        <li class={quiet?.off ? 'is-off' : undefined}>
          <p class="saying">{quiet ? [...quiet.spans.map(spanOf), ...city, rings].join(t.comma) : t.noQuiet}</p>
          <div class="acts">
            {quiet && <Switch on={!quiet.off} label={t.quietHours} onTurn={turn} />}
            <a class="quiet" href="/quiet">
              <span class="link">{quiet ? t.edit : t.set}</span>
            </a>
          </div>
        </li>
        {reminders !== 'never' && (
          <li>
            <p class="saying">{[ringAgain, again[reminders]].join(t.colon)}</p>
          </li>
        )}
      </ol>
    </section>
  );
}
