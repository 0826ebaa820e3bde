import type { InquiryEntry } from '../live/entry.ts';

/** What was written and still waits for a line, as plain words; empty for a decline without any. */
export function queuedWords({ inquiry, own }: Pick<InquiryEntry, 'inquiry' | 'own'>): string {
  if (!own) return '';
  const said = (inquiry.questions ?? []).flatMap((question) => {
    const values = [own.values?.[question.id]].flat().filter((value) => value !== undefined);
    const labels = values.map(
      (value) =>
        ('options' in question && question.options.find((option) => option.value === value)?.label) || plain(value),
    );
    return [...labels, own.other?.[question.id] ?? ''];
  });
  const decided = (own.decisions ?? []).map((decision, at) => {
    const chosen =
      'optionId' in decision
        ? inquiry.actions?.[at]?.options?.find(({ id }) => id === decision.optionId)?.label
        : undefined;
    return chosen ?? ('message' in decision && decision.message ? decision.message : decision.type);
  });
  return [own.text ?? '', own.markdown ?? '', ...said, ...decided].filter((words) => words.trim() !== '').join(', ');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
