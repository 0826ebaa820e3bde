import { visible } from '#shared/visible.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { SORTS } from './bunches.ts';
import { filter, many } from './view.ts';
import { manyWords } from './words.ts';

/** Chooses of which source and of which kind the list shows what waits. */
export function FilterDialog({ onClose }: { onClose: () => void }) {
  const words = manyWords();
  const { source, kind } = filter.value;
  const sources = new Map(many.value?.waiting.map(({ inquiry }) => [inquiry.source.id, inquiry.source.name]));
  return (
    <Dialog title={words.filter} onClose={onClose}>
      <form class="list-filter" method="dialog">
        <label>
          <span>{words.source}</span>
          <select
            value={source}
            onChange={(event) => (filter.value = { ...filter.value, source: event.currentTarget.value })}
          >
            <option value="">{words.anySource}</option>
            {[...sources].map(([id, name]) => (
              <option key={id} value={id}>
                {visible(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{words.kind}</span>
          <select
            value={kind}
            onChange={(event) => {
              const { value } = event.currentTarget;
              filter.value = { ...filter.value, kind: SORTS.find((sort) => sort === value) ?? 'all' };
            }}
          >
            <option value="all">{words.anyKind}</option>
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {words.only[sort]}
              </option>
            ))}
          </select>
        </label>
        <div class="bar-do">
          <button type="submit" class="button button--line">
            {words.close}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
