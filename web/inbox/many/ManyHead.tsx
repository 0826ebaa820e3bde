import type { InquiryEntry } from '../../live/entry.ts';
import { useWide } from '../../app/browser/wide.ts';
import { connection } from '../../live/store.ts';
import { now } from '../../ui/clock.ts';
import { Head } from '../../ui/shell/Head.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { selection } from './long.ts';
import { Filters, Find, Tools } from './Tools.tsx';
import { searching, selected } from './view.ts';
import { inboxWords } from '../words.ts';
import { manyWords } from './words.ts';

type ManyHeadProps = {
  waiting: InquiryEntry[];
  beside: boolean;
  /** What is said instead while answers wait for a line. */
  offline: [string] | [string, string] | undefined;
};

/** The head of a long list: how many wait and until when, with search, filters and selecting. */
export function ManyHead({ waiting, beside, offline }: ManyHeadProps) {
  const words = manyWords();
  const [due = ''] = waiting.map(({ inquiry }) => inquiry.deadlineAt).toSorted();
  const standing: [string, string] = [
    inboxWords().wait(waiting.length),
    inboxWords().first(Date.parse(due), now.value, waiting.length),
  ];
  const late = connection.value === 'offline' ? offline : undefined;
  const clauses: [string] | [string, string] = selection.value
    ? [words.selected(selected.value.length)]
    : (late ?? standing);
  return (
    <Head clauses={clauses} level={beside ? 2 : 1} line>
      <Above />
    </Head>
  );
}

// The phone has its tools in the masthead.
function Above() {
  const wide = useWide();
  return (
    <>
      {!selection.value && (wide || searching.value) && (
        <div class="find">
          <Icon name="search" />
          <Find />
          {wide && <Tools find={false} />}
        </div>
      )}
      {selection.value && wide && <Tools />}
      <Filters />
    </>
  );
}
