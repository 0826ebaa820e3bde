/**
 * `npm run bench -- [PART…] [--quick] [--engine sqlite] [--json]`: the hub against a server that keeps nothing and against
 * the least that keeps what the hub promises, all in one run. `npm run bench -- many`: a hub with very many of everything.
 */
import { parseArgs } from 'node:util';
import { busyShare } from './bench/machine.ts';
import { ENGINES, measureParts, PARTS } from './bench/parts.ts';
import { tableOf } from './bench/report.ts';

const MOST_BUSY = 0.1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true, default: [...ENGINES] },
  },
});

const busy = await busyShare();
if (busy > MOST_BUSY)
  process.stderr.write(
    `This machine is ${Math.round(busy * 100)} % busy with something else: trust the ratios and the counts only.\n`,
  );
const rows = await measureParts({
  parts: chosen(PARTS, positionals),
  engines: chosen(ENGINES, values.engine),
  quick: values.quick,
});
if (values.json) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
else process.stdout.write(tableOf(rows));

function chosen<Name extends string>(names: readonly Name[], asked: string[]): Name[] {
  const unknown = asked.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${names.join(', ')}.`);
  return asked.length === 0 ? [...names] : names.filter((name) => asked.includes(name));
}
