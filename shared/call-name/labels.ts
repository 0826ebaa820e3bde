type Labelled = { label: string; value: string };

const UNSEEN = /[\s\p{DI}\p{Cc}\u2800]+/gu;
/** A longer value would not fit beside its label. */
const VALUE_MAX = 40;

/** A text as an eye takes it: the same for two that differ in case, blanks, invisible characters or width alone; empty for what cannot be seen. */
export function lookOf(text: string): string {
  return text.replace(UNSEEN, '').normalize('NFKC').toLowerCase();
}

/** What each option is called: its label, or its value where that is blank; two that look alike have their values or numbers too. */
export function labelsOf(options: readonly Labelled[]): string[] {
  const labels = options.map(({ label, value }) => [label, value].find(lookOf) ?? '');
  if (areApart(labels)) return labels;
  const counts = new Map<string, number>();
  const looks = labels.map(lookOf);
  for (const look of looks) counts.set(look, (counts.get(look) ?? 0) + 1);
  const isTwin = looks.map((look) => look === '' || counts.get(look) !== 1);
  const numbered = labels.map((label, at) => `${label} (${at + 1})`.trim());
  const valued = labels.map((label, at) => {
    const { value = '' } = options[at] ?? {};
    return value.length > VALUE_MAX || lookOf(value) === '' ? '' : `${label} (${value})`;
  });
  return (
    [valued, numbered]
      .map((more) => labels.map((label, at) => (isTwin[at] ? (more[at] ?? '') : label)))
      .find(areApart) ?? numbered
  );
}

function areApart(labels: string[]): boolean {
  const looks = labels.map(lookOf);
  return !looks.includes('') && new Set(looks).size === looks.length;
}
