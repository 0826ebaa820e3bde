import '../policies.css';
import { useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { When } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { me } from '../../live/session.ts';
import { now, serverNow } from '../../ui/clock.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Word } from '../../ui/Field.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Button } from '../../ui/Button.tsx';
import { Tied } from '../../ui/sentence/Space.tsx';
import type { Whose } from '../lists.ts';
import { Previewed, usePreview } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { ruleWords } from '../words.ts';
import { type End, endAt, type Extent, listExtents, ruleFor } from './extents.ts';
import { offerWaiting } from '../waiting.ts';
import { makeRule } from './make.ts';

const ENDS: End[] = ['tonight', 'hour', 'week'];

type AlwaysProps = {
  onClose: () => void;
  /** Once the rule is made. */
  onMade?: (() => void) | undefined;
};

/** One way to go on: what it is called, what it fits, and the name of its source. */
export type Way = { label: string; when: When; source: string; inquiryId?: string };

/** Makes a rule that approves calls like those of this inquiry for a time. */
export function Always({ inquiry, ...rest }: AlwaysProps & { inquiry: Inquiry }) {
  const t = ruleWords();
  const sayExtent = (one: Extent, { shell, tool }: When) =>
    t.extent[one]([(one === 'commands' ? shell : tool) ?? []].flat().length);
  const ways = [...listExtents(inquiry, me.value?.person.handle)].map(([one, when]): Way => ({
    label: sayExtent(one, when),
    when,
    source: inquiry.source.name,
    inquiryId: inquiry.id,
  }));
  return <AlwaysDialog ways={ways} {...rest} />;
}

/** Makes a rule of one of these, the first unless another is picked: it says in one sentence which calls it approves, and what it would have done. */
export function AlwaysDialog({ ways: given, onClose, onMade }: AlwaysProps & { ways: Way[] }) {
  const t = ruleWords();
  const ways = useAlike(given);
  const [place, setPlace] = useState(0);
  const [end, setEnd] = useState<End>('tonight');
  const [of, setOf] = useState<Whose>('me');
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const way = ways[place];
  const rule = way && ruleFor(way.when, endAt(end, now.value), way.source, []);
  const preview = usePreview(of, rule);
  const make = async () => {
    if (!way || busy) return;
    setBusy(true);
    const until = endAt(end, serverNow());
    const refused = await makeRule(of, (rules) => ruleFor(way.when, until, way.source, rules), serverNow());
    setBusy(false);
    setProblem(refused);
    if (refused) return;
    onClose();
    onMade?.();
    offerWaiting(({ id }) => id !== way.inquiryId && preview?.waiting.some((one) => one.id === id));
  };
  return (
    <Dialog title={t.always} onClose={onClose}>
      <Extents labels={ways.map(({ label }) => label)} chosen={place} onPick={setPlace} />
      <Ends {...{ end, of }} onEnd={setEnd} onList={setOf} />
      {rule && (
        <div class="result" role="status">
          <p class="saying">
            <Saying rule={rule} nameOf={() => way?.source ?? ''} />
          </p>
          <Previewed then="approve" preview={preview} />
        </div>
      )}
      <p class="hint">{t.never}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={onClose}>
          {t.cancel}
        </Button>
        <Button onPress={() => void make()} waits={busy}>
          {t.always}
        </Button>
      </div>
    </Dialog>
  );
}

/** What the first of these nearly fits is a way of its own: calls that differ in one word, each of them named. */
function useAlike(ways: Way[]): Way[] {
  const t = ruleWords();
  const [first, ...others] = ways;
  const rule = first?.when.shell && ruleFor(first.when, endAt('hour', now.value), first.source, []);
  const near = usePreview('me', rule)?.near;
  if (!first || !near) return ways;
  return [first, { ...first, label: t.extent.alike(), when: { ...first.when, shell: near.shell } }, ...others];
}

type ExtentsProps = { labels: string[]; chosen: number; onPick: (place: number) => void };

function Extents({ labels, chosen, onPick }: ExtentsProps) {
  const t = ruleWords();
  return (
    <div class="options" role="radiogroup" aria-label={t.what}>
      {labels.map((label, place) => (
        <label class="option" key={label}>
          <input type="radio" name="extent" checked={place === chosen} onChange={() => onPick(place)} />
          <span class="ring">
            <Mark name="tick" />
          </span>
          <span>
            <b>{label}</b>
          </span>
        </label>
      ))}
    </div>
  );
}

type EndsProps = { end: End; of: Whose; onEnd: (end: End) => void; onList: (of: Whose) => void };

function Ends({ end, of, onEnd, onList }: EndsProps) {
  const t = ruleWords();
  const choosesList = me.value?.person.owner ?? false;
  const sayEnd = (one: End) => t.endWord[one](Date.parse(endAt(one, now.value)), now.value);
  return (
    <p class="sentence sentence--end">
      {t.ends}
      <Tied text={choosesList ? t.and : t.stop}>
        <Word label={t.end} value={end} options={ENDS.map((one) => [one, sayEnd(one)] as const)} onPick={onEnd} />
      </Tied>
      {choosesList && (
        <Tied text={t.stop}>
          <Word
            label={t.list}
            value={of}
            options={[['me', t.whose.me] as const, ['hub', t.whose.hub] as const]}
            onPick={onList}
          />
        </Tied>
      )}
    </p>
  );
}
