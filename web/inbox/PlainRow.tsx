import { visible } from '#shared/visible.ts';
import type { Inquiry } from '#shared/inquiry.ts';

/** Who asks and its title as plain text, where a row cannot be drawn: it still opens the question. */
export function PlainRow({ inquiry: { id, source, title } }: { inquiry: Inquiry }) {
  return (
    <a class="row" href={`/i/${id}`}>
      <span class="row-name" dir="auto">
        {visible(`${source.name}: ${title}`)}
      </span>
    </a>
  );
}
