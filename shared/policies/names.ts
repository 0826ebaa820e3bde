const SHORT = 36;

/** A name for a rule that says this, short and with no control character, that none of these is. */
export function freeName(text: string, taken: readonly { name: string }[]): string {
  const letters = Array.from(text.replace(/\p{Cc}/gu, ' '));
  const name = letters.length > SHORT ? `${letters.slice(0, SHORT).join('')}…` : letters.join('');
  const names = new Set(taken.map((rule) => rule.name));
  let free = name;
  for (let place = 2; names.has(free); place++) free = `${name} (${place})`;
  return free;
}
