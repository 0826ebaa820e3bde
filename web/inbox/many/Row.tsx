import { isWrittenElsewhere, openInquiryId } from '../../live/inquiries.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { Title, titleLang } from '../../inquiry/view/Title.tsx';
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
export function Row({ entry, from }: { entry: InquiryEntry; from?: boolean }) {
  return selection.value ? <SelectRow entry={entry} /> : <OpenRow entry={entry} from={from ?? false} />;
}

function OpenRow({ entry, from }: { entry: InquiryEntry; from: boolean }) {
  const words = manyWords();
  const { inquiry, draft } = entry;
  const urgent = isUrgent(entry);
  const answering = draft !== undefined && isWrittenElsewhere(draft, now.value);
  const caution = (inquiry.actions ?? []).some((action) => action.caution);
  return (
    <div class="swipe">
      <a class="row" href={`/i/${inquiry.id}`} aria-current={openInquiryId.value === inquiry.id ? 'true' : undefined}>
        <Mark name={answering ? 'dots' : 'comma'} />
        <Name entry={entry} />
        <span class="row-by">
          {urgent && <b>{words.isUrgent + words.and}</b>}
          {caution && <b>{(urgent ? goingOn(words.isCaution) : words.isCaution) + words.and}</b>}
          <State entry={entry} goesOn={urgent || caution} />
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

function SelectRow({ entry }: { entry: InquiryEntry }) {
  const words = manyWords();
  const like = likeness(entry);
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
        checked={!why && (selection.value?.has(entry.inquiry.id) ?? false)}
        disabled={why !== undefined}
        onChange={() => toggle(entry)}
      />
      <span class="ring ring--box" aria-hidden="true">
        <Mark name="tick" />
      </span>
      <Name entry={entry} />
      <span class="row-by">{why ? words.apart[why] : <State entry={entry} />}</span>
    </label>
  );
}

function Name({ entry: { inquiry } }: { entry: InquiryEntry }) {
  return (
    <span class="row-name" dir="auto" lang={titleLang(inquiry)}>
      <Title inquiry={inquiry} max={ROW_MAX} />
    </span>
  );
}
