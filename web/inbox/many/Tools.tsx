import { useSignal } from '@preact/signals';
import { lazy } from '../../app/lazy.tsx';
import { IconButton, Quiet } from '../../ui/Button.tsx';
import { selection } from './long.ts';
import { alike, filter, many, searching, select, selected } from './view.ts';
import { isSoon, isUrgent, NO_FILTER, readSort, runKey, SORTS } from './bunches.ts';
import { likeness } from '../select/like.ts';
import { ofRun } from '../select/ofRun.ts';
import { now } from '../../ui/clock.ts';
import { manyWords } from './words.ts';

const FilterDialog = lazy(() => import('./FilterDialog.tsx').then(({ FilterDialog: ready }) => ready));

/** Search, filter and select: in the masthead of a phone, in the list's head on a desktop. */
export function Tools({ find = true }: { find?: boolean }) {
  const words = manyWords();
  const choosing = useSignal(false);
  if (!many.value) return null;
  if (selection.value) return <Quiet onPress={() => (selection.value = undefined)}>{words.cancel}</Quiet>;
  const startSelecting = () => select([]);
  return (
    <>
      {find && <IconButton name="search" label={words.search} onPress={() => (searching.value = !searching.value)} />}
      <IconButton name="filter" label={words.filter} onPress={() => (choosing.value = true)} />
      <Quiet onPress={startSelecting}>{words.select}</Quiet>
      {choosing.value && <FilterDialog onClose={() => (choosing.value = false)} />}
    </>
  );
}

/** The words by which the list is searched. */
export function Find() {
  const words = manyWords();
  return (
    <input
      type="search"
      aria-label={words.searchHint}
      placeholder={words.searchHint}
      value={filter.value.find}
      onInput={(event) => (filter.value = { ...filter.value, find: event.currentTarget.value })}
    />
  );
}

/** What of the list is shown, each with its count; while calls are selected, what can be selected at once. */
export function Filters() {
  const words = manyWords();
  if (!many.value) return null;
  if (selection.value) return <Selecting />;
  const { waiting } = many.value;
  const { due, kind, source, find } = filter.value;
  const all = due === 'all' && kind === 'all' && source === '' && find.trim() === '';
  const urgent = waiting.filter(isUrgent).length;
  const soon = waiting.filter((entry) => isSoon(entry, now.value)).length;
  const press = (part: Partial<typeof NO_FILTER>) => () => (filter.value = { ...filter.value, ...part });
  return (
    <div class="filters filters--line" role="group" aria-label={words.show}>
      <Quiet pressed={all} onPress={press(NO_FILTER)}>
        {words.all}
      </Quiet>
      {(urgent > 0 || due === 'urgent') && (
        <Quiet pressed={due === 'urgent'} onPress={press({ due: due === 'urgent' ? 'all' : 'urgent' })}>
          {words.urgent(urgent)}
        </Quiet>
      )}
      {(soon > 0 || due === 'soon') && (
        <Quiet pressed={due === 'soon'} onPress={press({ due: due === 'soon' ? 'all' : 'soon' })}>
          {words.soon(soon)}
        </Quiet>
      )}
      {SORTS.map((sort) => {
        const count = waiting.filter((entry) => readSort(entry) === sort).length;
        // Of forms there are none in most lists.
        if (sort === 'forms' && count === 0 && kind !== sort) return null;
        return (
          <Quiet key={sort} pressed={kind === sort} onPress={press({ kind: kind === sort ? 'all' : sort })}>
            {words[sort](count)}
          </Quiet>
        );
      })}
    </div>
  );
}

function Selecting() {
  const words = manyWords();
  if (!many.value) return null;
  const { pressing, bunches } = many.value;
  const inOrder = [...pressing, ...bunches.flatMap(({ entries }) => entries)];
  const first = selected.value[0] ?? inOrder.find((entry) => 'key' in likeness(entry));
  const like = alike(inOrder, first);
  const key = first?.inquiry.actions && runKey(first);
  const run = key === undefined ? [] : inOrder.filter((one) => runKey(one) === key);
  const ofIt = new Set(ofRun(run, 'approve', now.value).inquiries);
  return (
    <div class="filters filters--line" role="group" aria-label={words.select}>
      {like.length > Math.max(1, selected.value.length) && (
        <Quiet onPress={() => select(like)}>
          {(first?.inquiry.actions ? words.likeFirst : words.allQuestions)(like.length)}
        </Quiet>
      )}
      {ofIt.size > Math.max(like.length, selected.value.length) && (
        <Quiet
          onPress={() =>
            select(
              run.filter(({ inquiry }) => ofIt.has(inquiry)),
              key,
            )
          }
        >
          {words.allOfRun(ofIt.size)}
        </Quiet>
      )}
      {selected.value.length > 0 && <Quiet onPress={() => select([])}>{words.clear}</Quiet>}
    </div>
  );
}
