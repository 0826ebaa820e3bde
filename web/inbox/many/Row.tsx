import { isWrittenElsewhere, openInquiryId } from '../../live/inquiries.ts';
import type { Held } from '../../live/held.ts';
import { Title, titleLang } from '../../inquiry/Title.tsx';
import { now } from '../../ui/clock.ts';
import { Mark } from '../../ui/Mark.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { State } from '../Entry.tsx';
import { Hide } from '../Hide.tsx';
import { likeness } from '../select/like.ts';
import { goingOn } from '../words.ts';
import { isUrgent } from './bunches.ts';
import { selection } from './long.ts';
import { selected, toggle } from './view.ts';
import { manyWords } from './words.ts';

/** A call's name keeps both its ends in one line of a phone. */
const ROW_MAX = 40;

/** One question of a long list in two lines; a tap opens it, or selects it while calls are selected. */
export function Row({ held, from }: { held: Held; from?: boolean }) {
  return selection.value ? <SelectRow held={held} /> : <OpenRow held={held} from={from ?? false} />;
}

function OpenRow({ held, from }: { held: Held; from: boolean }) {
  const words = manyWords();
  const { inquiry, draft } = held;
  const urgent = isUrgent(held);
  const answering = draft !== undefined && isWrittenElsewhere(draft, now.value);
  const caution = (inquiry.actions ?? []).some((action) => action.caution);
  return (
    <div class="swipe">
      <a class="row" href={`/i/${inquiry.id}`} aria-current={openInquiryId.value === inquiry.id ? 'true' : undefined}>
        <Mark name={answering ? 'dots' : 'comma'} />
        <Name held={held} />
        <span class="row-by">
          {urgent && <b>{words.isUrgent + words.and}</b>}
          {caution && <b>{(urgent ? goingOn(words.isCaution) : words.isCaution) + words.and}</b>}
          <State held={held} goesOn={urgent || caution} />
          {from && (
            <>
              {' · '}
              <UntrustedText text={inquiry.source.name} />
            </>
          )}
        </span>
      </a>
      <Hide inquiryId={inquiry.id} />
    </div>
  );
}

function SelectRow({ held }: { held: Held }) {
  const words = manyWords();
  const like = likeness(held);
  const [first] = selected.value;
  const firstLike = first && likeness(first);
  const why =
    'apart' in like
      ? like.apart
      : firstLike && 'key' in firstLike && firstLike.key !== like.key
        ? ('unlike' as const)
        : undefined;
  return (
    <label class={why ? 'row is-out' : 'row'}>
      <input
        type="checkbox"
        checked={!why && (selection.value?.has(held.inquiry.id) ?? false)}
        disabled={why !== undefined}
        onChange={() => toggle(held)}
      />
      <span class="ring ring--box" aria-hidden="true">
        <Mark name="tick" />
      </span>
      <Name held={held} />
      <span class="row-by">{why ? words.apart[why] : <State held={held} />}</span>
    </label>
  );
}

function Name({ held: { inquiry } }: { held: Held }) {
  return (
    <span class="row-name" dir="auto" lang={titleLang(inquiry)}>
      <Title inquiry={inquiry} max={ROW_MAX} />
    </span>
  );
}
