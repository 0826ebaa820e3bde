import { quantile } from './machine.ts';

/** One line of `npm run bench -- --json`; absent figures were not measured for this row. */
export type Row = {
  name: string;
  engine: 'sqlite' | 'postgres';
  value: number;
  unit: string;
  bare?: number | undefined;
  floor?: number | undefined;
  ratioToBare?: number | undefined;
  ratioToFloor?: number | undefined;
};

/** A row from one value a round on each side; the ratios are medians of the rounds' own, none to nothing. */
export function rowOf(
  about: Pick<Row, 'name' | 'engine' | 'unit'>,
  { hub, bare, floor }: { hub: number[]; bare?: number[]; floor?: number[] },
): Row {
  const ratio = (other: number[] | undefined) =>
    other?.every((value) => value > 0)
      ? quantile(
          hub.map((value, round) => value / other[round]!),
          0.5,
        )
      : undefined;
  return {
    ...about,
    value: quantile(hub, 0.5),
    bare: bare && quantile(bare, 0.5),
    floor: floor && quantile(floor, 0.5),
    ratioToBare: ratio(bare),
    ratioToFloor: ratio(floor),
  };
}

/** Two runs of one server differ by as much. */
const NO_DIFFERENCE = 0.05;

/** By name, then engine where they differ. */
const AIMS: Record<string, string> = {
  'CPU of the hub per cycle sqlite': '<= 0.40 ms',
  'CPU of the hub per cycle postgres': '<= 0.5 ms',
  'cycles, 20 people sqlite': '>= 0.34x bare, >= 0.52x floor',
  'cycles, 20 people postgres': '>= 0.16x bare, >= 0.65x floor',
  'p50, one person sqlite': '<= 1.2 ms',
  'round trips per cycle, one person postgres': '<= 6',
  'withdraw to the last of 1000 sockets': '<= 1.0x bare',
  'heap per idle device': '<= 1.1x bare',
  'a call that needs no approval, more through the gate': '<= 0.4 ms',
  'CPU of a cycle asked with send_inquiry': '<= bare + 0.4 ms',
  '20 sources that ask one group of 20': '>= 0.7x of 20 groups',
  'p50 of an ask, more with 1000 rules': '<= 1 ms',
  'p50 of an ask without rules': '<= 1.05x bare',
  'CPU of a cycle through langgraph': '<= 1.15x bare',
  'p50 of a chunk, more than straight, one stream': '<= 1 ms',
  'p50 of a chunk, more than straight, 100 streams': '<= 1 ms',
  'heap and buffers per stream, 1000 open': '<= 20 KiB',
  'start to ready': '<= 0.75 s',
  'CPU of a history as CSV, bare as JSON': '<= 2.0x bare',
};

/** The rows for people, in columns. */
export function tableOf(rows: Row[]): string {
  const lines = rows.map(({ name, engine, value, unit, bare, floor, ratioToBare, ratioToFloor }) => [
    name,
    engine,
    `${shown(value)} ${unit}`,
    shown(bare),
    shown(floor),
    times(ratioToBare),
    times(ratioToFloor),
    AIMS[name] ?? AIMS[`${name} ${engine}`] ?? '',
  ]);
  const all = [['', 'engine', 'hub', 'bare', 'floor', 'to bare', 'to floor', 'aim'], ...lines];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  const written = all.map((line) =>
    line.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))),
  );
  return `${written.map((line) => line.join('  ').trimEnd()).join('\n')}\n`;
}

function shown(value: number | undefined): string {
  if (value === undefined) return '';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function times(ratio: number | undefined): string {
  if (ratio === undefined) return '';
  return Math.abs(ratio - 1) < NO_DIFFERENCE ? 'no difference' : `${ratio.toFixed(2)}x`;
}
