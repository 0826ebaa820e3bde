import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { me } from '../../live/session.ts';
import { keepStored, recall } from '../../live/stored.ts';
import { now, serverNow } from '../../ui/clock.ts';
import { Quiet } from '../../ui/Button.tsx';
import { made, undoRule } from '../made.ts';
import { EditMade } from '../RuleOn.tsx';
import { fetchPreview } from '../Previewed.tsx';
import { ruleWords } from '../words.ts';
import { Always } from './Always.tsx';
import { approvedAlike, endAt, listExtents, ruleFor } from './extents.ts';

const THIRD = 3;
const KEPT = 'offered';
const KEPT_MOST = 200;

/** After a call was approved: a rule for the like, and for the third such decision within a week the word that it was. */
export function AlwaysAfter({ inquiry, onOffer }: { inquiry: Inquiry; onOffer: () => void }) {
  const t = ruleWords();
  const open = useSignal(false);
  const third = useSignal(false);
  const handle = me.value?.person.handle;
  const extents = listExtents(inquiry, handle);
  useEffect(() => {
    let gone = false;
    const narrowest = extents.get('commands') ?? extents.get('args');
    const like = JSON.stringify(narrowest);
    void (async () => {
      if (!narrowest) return;
      const offered = (await recall<string[]>(KEPT)) ?? [];
      if (offered.includes(like)) return;
      const rule = ruleFor(narrowest, endAt('hour', serverNow()), inquiry.source.name, []);
      const { ok } = await fetchPreview('me', rule);
      if (!ok || approvedAlike(ok, handle, serverNow()) < THIRD) return;
      // Offered once, so it has to be seen.
      if (gone) return;
      third.value = true;
      onOffer();
      await keepStored(KEPT, [...offered, like].slice(-KEPT_MOST));
    })();
    return () => {
      gone = true;
    };
  }, []);
  if (extents.size === 0) return null;
  // On a phone no banner stands over an inquiry; elsewhere the banner says it.
  if (made.value) {
    const { until } = made.value.rule;
    return (
      <div class="reply rule-on" role="status">
        {t.on(until === undefined ? undefined : Date.parse(until), now.value)} <EditMade />{' '}
        <Quiet onPress={() => void undoRule()}>{t.undo}</Quiet>
      </div>
    );
  }
  return (
    <div class="reply">
      {third.value && <span role="status">{t.third} </span>}
      <Quiet onPress={() => (open.value = true)}>{t.alwaysMore}</Quiet>
      {open.value && <Always inquiry={inquiry} onClose={() => (open.value = false)} />}
    </div>
  );
}
