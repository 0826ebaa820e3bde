import '../policies.css';
import { useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { When } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { me } from '../../live/session.ts';
import { now, serverNow } from '../../ui/clock.ts';
import { Drawer } from '../../ui/Drawer.tsx';
import { Word } from '../../ui/Field.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Slab } from '../../ui/Slab.tsx';
import type { Whose } from '../lists.ts';
import { Previewed } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { usePreview } from '../usePreview.ts';
import { ruleWords } from '../words.ts';
import { type End, endOf, type Extent, extentsOf, ruleFor } from './extents.ts';
import { makeRule } from './make.ts';

const ENDS: End[] = ['tonight', 'hour', 'week'];

type AlwaysProps = {
  inquiry: Inquiry;
  onClose: () => void;
  /** Once the rule is made. */
  onMade?: (() => void) | undefined;
};

/** Makes a rule that approves calls like this one for a time: it says in one sentence which, and what it would have done. */
export function Always({ inquiry, onClose, onMade }: AlwaysProps) {
  const t = ruleWords();
  const extents = extentsOf(inquiry, me.value?.person.handle);
  const [extent, setExtent] = useState<Extent | undefined>([...extents.keys()][0]);
  const [end, setEnd] = useState<End>('tonight');
  const [of, setOf] = useState<Whose>('me');
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const when = extent && extents.get(extent);
  const rule = when && ruleFor(when, endOf(end, now.value), inquiry.source.name, []);
  const preview = usePreview(of, rule);
  const make = async () => {
    if (!when || busy) return;
    setBusy(true);
    const until = endOf(end, serverNow());
    const refused = await makeRule(of, (rules) => ruleFor(when, until, inquiry.source.name, rules), serverNow());
    setBusy(false);
    setProblem(refused);
    if (refused) return;
    onClose();
    onMade?.();
  };
  return (
    <Drawer title={t.always} onClose={onClose}>
      <Extents extents={extents} chosen={extent} onPick={setExtent} />
      <Ends {...{ end, of }} onEnd={setEnd} onList={setOf} />
      {rule && (
        <div class="result" role="status">
          <p class="saying">
            <Saying rule={rule} nameOf={() => inquiry.source.name} />
          </p>
          <Previewed then="approve" preview={preview} />
        </div>
      )}
      <p class="hint">{t.never}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Slab look="line" onPress={onClose}>
          {t.cancel}
        </Slab>
        <Slab onPress={() => void make()} waits={busy}>
          {t.always}
        </Slab>
      </div>
    </Drawer>
  );
}

type ExtentsProps = { extents: Map<Extent, When>; chosen: Extent | undefined; onPick: (extent: Extent) => void };

function Extents({ extents, chosen, onPick }: ExtentsProps) {
  const t = ruleWords();
  return (
    <div class="options" role="radiogroup" aria-label={t.what}>
      {[...extents].map(([one, { shell, tool }]) => (
        <label class="option" key={one}>
          <input type="radio" name="extent" checked={one === chosen} onChange={() => onPick(one)} />
          <span class="ring">
            <Mark name="tick" />
          </span>
          <span>
            <b>{t.extent[one]([(one === 'commands' ? shell : tool) ?? []].flat().length)}</b>
          </span>
        </label>
      ))}
    </div>
  );
}

type EndsProps = { end: End; of: Whose; onEnd: (end: End) => void; onList: (of: Whose) => void };

// Only the owner has a choice of lists.
function Ends({ end, of, onEnd, onList }: EndsProps) {
  const t = ruleWords();
  const wordOf = (one: End) => t.endWord[one](Date.parse(endOf(one, now.value)), now.value);
  return (
    <p class="sentence sentence--end">
      {t.ends}
      <Word label={t.end} value={end} options={ENDS.map((one) => [one, wordOf(one)] as const)} onPick={onEnd} />
      {me.value?.person.owner && (
        <>
          {t.and}
          <Word
            label={t.list}
            value={of}
            options={[['me', t.whose.me] as const, ['hub', t.whose.hub] as const]}
            onPick={onList}
          />
        </>
      )}
      {t.stop}
    </p>
  );
}
