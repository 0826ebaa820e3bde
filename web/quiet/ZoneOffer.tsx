import { useSignal } from '@preact/signals';
import type { Problem } from '#shared/problem.ts';
import { choose, isChosen } from '../app/browser/choices.ts';
import { explain } from '../app/form/explain.ts';
import { changeMe } from '../live/session.ts';
import { Quiet } from '../ui/Button.tsx';
import { Banner } from '../ui/shell/Banner.tsx';
import { cityOf, type Counted } from './time-zone.ts';
import { quietWords } from './words.ts';

/** Says that this device is elsewhere than where its person is counted, and offers to change that, once on this device. */
export function ZoneOffer({ counted: { zone, ofHub }, here }: { counted: Counted; here: string }) {
  const t = quietWords();
  const asked = `zone:${zone}>${here}` as const;
  const kept = useSignal('');
  const problem = useSignal<Problem | undefined>(undefined);
  if (kept.value === asked || isChosen(asked)) return null;
  const keep = () => {
    choose(asked);
    kept.value = asked;
  };
  const change = async () => void (problem.value = await changeMe({ preferences: { chosenTimeZone: here } }));
  const [there, city] = [cityOf(zone), cityOf(here)];
  return (
    <Banner
      quiet
      icon="clock"
      act={
        <>
          <Quiet onPress={() => void change()}>{t.useTime(city)}</Quiet>
          <Quiet onPress={keep}>{t.keepTime(there)}</Quiet>
        </>
      }
    >
      {problem.value ? explain(problem.value) : t.elsewhere(there, ofHub, city)}
    </Banner>
  );
}
