import { useSignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { lazy } from '../../app/lazy.tsx';
import { now } from '../../ui/clock.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { openInquiryId } from '../../live/inquiries.ts';
import { Boundary } from '../../ui/Boundary.tsx';
import { Quiet } from '../../ui/Button.tsx';
import { SourceIcon } from '../../ui/post/SourceIcon.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { Called, Title, titleLang } from '../../inquiry/view/Title.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { largestClass } from '../select/like.ts';
import { ofRun } from '../select/ofRun.ts';
import '../destroys.ts';
import { Hide, Parts, useStanding } from '../Entry.tsx';
import { Kind, KindAloud } from '../Kind.tsx';
import { PlainRow } from '../PlainRow.tsx';
import { type Bunch as OneBunch, NO_FILTER, runKey } from './bunches.ts';
import { selection } from './long.ts';
import { classOf, filter, many, toRows, select, selected, showMore, toggle } from './view.ts';
import { manyWords } from './words.ts';

const Found = lazy(() => import('./Found.tsx').then(({ Found: ready }) => ready), Meanwhile);
const RunDialog = lazy(() => import('../select/Chosen.tsx').then(({ RunDialog: ready }) => ready));
export { ManyHead } from './ManyHead.tsx';

const PRESSING = 'pressing';

/** A long list: what presses first, then a bunch for each source and run; each shows a few rows and opens to all. */
export function Many() {
  const words = manyWords();
  if (!many.value) return null;
  const { shown, pressing, bunches } = many.value;
  if (shown.length === 0)
    return (
      <section class="bunch bunch--none">
        <p>{words.none}</p>
        <Quiet onPress={() => (filter.value = NO_FILTER)}>{words.clear}</Quiet>
      </section>
    );
  return (
    <>
      {pressing.length > 0 && (
        <section class="bunch" aria-label={words.pressing}>
          <div class="bunch-head">
            <h2>{words.pressing}</h2>
          </div>
          <Rows id={PRESSING} entries={pressing} from />
        </section>
      )}
      {bunches.map((bunch) => (
        <Bunch key={bunch.key} bunch={bunch} shown={shown} />
      ))}
    </>
  );
}

function Bunch({ bunch: { key, name, run, entries }, shown }: { bunch: OneBunch; shown: InquiryEntry[] }) {
  const [first] = entries;
  const label = run ? `${name}, ${run}` : name;
  return (
    <section class="bunch" aria-label={label}>
      <div class="bunch-head">
        {first && <SourceIcon sourceId={first.inquiry.source.id} name={name} />}
        <div class="bunch-name">
          <h2>
            <UntrustedText text={name} />
          </h2>
          {run && (
            <span class="bunch-run">
              <UntrustedText text={run} />
            </span>
          )}
        </div>
        {!selection.value && <RunActs label={visible(label)} entries={shown.filter((one) => runKey(one) === key)} />}
      </div>
      <Rows id={key} entries={entries} />
    </section>
  );
}

/** What decides a run together, each of which opens the list of its calls; where there are no two calls, what selects. */
function RunActs({ label, entries }: { label: string; entries: InquiryEntry[] }) {
  const words = manyWords();
  const verdict = useSignal<'approve' | 'reject' | undefined>(undefined);
  const calls = ofRun(entries, 'approve', now.peek()).inquiries.length;
  const like = largestClass(entries);
  const open = (what: 'approve' | 'reject') => () => (verdict.value = what);
  return (
    <span class="bunch-do">
      {calls > 1 ? (
        <>
          <Quiet onPress={open('reject')} label={words.of(words.reject, label)}>
            {words.reject}
          </Quiet>
          <button
            type="button"
            class="button button--line button--mini"
            aria-label={words.of(words.approve(calls), label)}
            onClick={open('approve')}
          >
            {words.approve(calls)}
          </button>
        </>
      ) : (
        like.length > 0 && <Quiet onPress={() => select(like)}>{words.selectMany(like.length)}</Quiet>
      )}
      {verdict.value && (
        <RunDialog entries={entries} verdict={verdict.value} onClose={() => (verdict.value = undefined)} />
      )}
    </span>
  );
}

function Rows({ id, entries, from }: { id: string; entries: InquiryEntry[]; from?: boolean }) {
  const words = manyWords();
  const rows = toRows(id, entries, selection.value ? undefined : openInquiryId.value);
  const folded = entries.length - rows.length;
  return (
    <>
      <ul>
        {rows.map((entry) => (
          <li key={entry.inquiry.id}>
            <Row entry={entry} from={from ?? false} />
          </li>
        ))}
      </ul>
      {folded > 0 && (
        <div class="bunch-more">
          <Quiet onPress={() => showMore(id)}>{words.more(folded)}</Quiet>
        </div>
      )}
    </>
  );
}

/** A call's name keeps both its ends in one line of a phone. */
const ROW_MAX = 40;

/** One question of a long list in two lines; a tap opens it, or selects it while some are selected. */
function Row({ entry, from }: { entry: InquiryEntry; from?: boolean }) {
  return (
    <Boundary of={entry} otherwise={<PlainRow inquiry={entry.inquiry} />}>
      {selection.value ? <SelectRow entry={entry} /> : <OpenRow entry={entry} from={from ?? false} />}
    </Boundary>
  );
}

function OpenRow({ entry, from }: { entry: InquiryEntry; from: boolean }) {
  const { inquiry } = entry;
  const { parts, due } = useStanding(entry, false);
  const said = from ? [...parts, <UntrustedText key="from" text={inquiry.source.name} />] : parts;
  return (
    <div class="swipe">
      <a class="row" href={`/i/${inquiry.id}`} aria-current={openInquiryId.value === inquiry.id ? 'true' : undefined}>
        <Kind inquiry={inquiry} />
        <Name entry={entry} />
        <span class="row-due">{due}</span>
        <By inquiry={inquiry} parts={said} />
      </a>
      <Hide inquiryId={inquiry.id} />
    </div>
  );
}

function SelectRow({ entry }: { entry: InquiryEntry }) {
  const words = manyWords();
  const like = classOf(entry);
  const { parts, due } = useStanding(entry, false);
  const [first] = selected.value;
  const firstLike = first && classOf(first);
  const unlike = firstLike && 'key' in firstLike && 'key' in like && firstLike.key !== like.key;
  const why = 'apart' in like ? like.apart : unlike ? whyUnlike(first.inquiry, entry.inquiry) : undefined;
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
      <span class="row-due">{due}</span>
      <By inquiry={entry.inquiry} parts={why ? [words.apart[why]] : parts} />
    </label>
  );
}

// The line stands there before what marks a word in it has come.
function Meanwhile({ inquiry }: { inquiry: Inquiry; find: string; max: number }) {
  return <Called inquiry={inquiry} />;
}

/** The second line: how it stands, and where the title is the sender's, what it asks to do. */
function By({ inquiry, parts }: { inquiry: Inquiry; parts: ComponentChild[] }) {
  const { find } = filter.value;
  return (
    <span class="row-by">
      {parts.length > 0 && (
        <span>
          <Parts parts={parts} />
        </span>
      )}
      {find.trim() === '' ? <Called inquiry={inquiry} /> : <Found inquiry={inquiry} find={find} max={ROW_MAX} />}
    </span>
  );
}

function whyUnlike(first: Inquiry, other: Inquiry): 'call' | 'question' | 'unlike' {
  if (first.actions && other.actions) return 'unlike';
  return other.actions ? 'call' : 'question';
}

function Name({ entry: { inquiry } }: { entry: InquiryEntry }) {
  return (
    <span class="row-name" dir="auto" lang={titleLang(inquiry)}>
      <KindAloud inquiry={inquiry} />
      <Title inquiry={inquiry} max={ROW_MAX} />
    </span>
  );
}
