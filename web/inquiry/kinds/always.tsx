import { me } from '../../live/session.ts';
import { offersAlways } from '../../policies/always/extents.ts';
import { ruleWords } from '../../policies/words.ts';
import { Quiet } from '../../ui/Slab.tsx';
import type { KindProps } from './kind.ts';

/** The words that begin a rule for calls like these; false where no rule may approve them. */
export function alwaysOffer({ inquiry, always }: Pick<KindProps, 'inquiry' | 'always'>) {
  const offered = offersAlways(inquiry, me.value?.person.handle);
  return offered && <Quiet onPress={() => (always.value = true)}>{ruleWords().alwaysMore}</Quiet>;
}
