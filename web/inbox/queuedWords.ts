import type { InquiryEntry } from '../live/entry.ts';

/** What was written and still waits for a line, as plain words; empty for a decline without any. */
export function queuedWords({ inquiry, mine }: Pick<InquiryEntry, 'inquiry' | 'mine'>): string {
  if (!mine) return '';
  const said = (inquiry.questions ?? []).flatMap((question) => {
    const values = [mine.values?.[question.id]].flat().filter((value) => value !== undefined);
    const labels = values.map(
      (value) =>
        ('options' in question && question.options.find((option) => option.value === value)?.label) || plain(value),
    );
    return [...labels, mine.other?.[question.id] ?? ''];
  });
  const decided = (mine.decisions ?? []).map((decision, at) => {
    const chosen =
      'optionId' in decision
        ? inquiry.actions?.[at]?.options?.find(({ id }) => id === decision.optionId)?.label
        : undefined;
    return chosen ?? ('message' in decision && decision.message ? decision.message : decision.type);
  });
  return [mine.text ?? '', mine.markdown ?? '', ...said, ...decided].filter((words) => words.trim() !== '').join(', ');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
