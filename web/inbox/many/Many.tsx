import type { InquiryEntry } from '../../live/entry.ts';
import { openInquiryId } from '../../live/inquiries.ts';
import { Quiet } from '../../ui/Button.tsx';
import { SourceIcon } from '../../ui/post/SourceIcon.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { largestClass } from '../select/like.ts';
import { type Bunch as OneBunch, NO_FILTER, runKey } from './bunches.ts';
import { Row } from './Row.tsx';
import { selection } from './long.ts';
import { filter, many, rowsOf, select, showMore } from './view.ts';
import { manyWords } from './words.ts';

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
  const words = manyWords();
  const like = largestClass(shown.filter((entry) => runKey(entry) === key));
  const [first] = entries;
  return (
    <section class="bunch" aria-label={run ? `${name}, ${run}` : name}>
      <div class="bunch-head">
        {first && <SourceIcon sourceId={first.inquiry.source.id} name={name} />}
        <h2>
          <UntrustedText text={name} />
        </h2>
        {run && (
          <span class="bunch-run">
            <UntrustedText text={run} />
          </span>
        )}
        {like.length > 0 && <Quiet onPress={() => select(like)}>{words.selectMany(like.length)}</Quiet>}
      </div>
      <Rows id={key} entries={entries} />
    </section>
  );
}

function Rows({ id, entries, from }: { id: string; entries: InquiryEntry[]; from?: boolean }) {
  const words = manyWords();
  const rows = rowsOf(id, entries, selection.value ? undefined : openInquiryId.value);
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
