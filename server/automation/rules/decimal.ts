/** A number as it was written: 0.`digits` times ten to the power of `point`. */
export type Decimal = { sign: -1 | 0 | 1; digits: string; point: number };

/** Reads the number that a JSON text or a double stands for, with all of its digits. */
export function decimalOf(text: string): Decimal {
  const { minus, whole = '', fraction = '', exponent = '0' } = NUMBER.exec(text)?.groups ?? {};
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first < 0) return { sign: 0, digits: '', point: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end--;
  return { sign: minus ? -1 : 1, digits: all.slice(first, end), point: whole.length - first + Number(exponent) };
}

const NUMBER = /^(?<minus>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[-+]?\d+))?$/i;

/** Below 0 where `a` is the smaller number, above 0 where it is the greater one. */
export function compare(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.point !== b.point) return a.point < b.point ? -a.sign : a.sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}
