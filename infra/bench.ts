/**
 * `npm run bench -- [PART…] [--quick] [--engine sqlite] [--json]`: the hub against a server that keeps nothing and against
 * the least that keeps what the hub promises, all in one run. `npm run bench -- many [--devices N] [--resolved N]
 * [--minutes N]`: a hub with very many of everything. `npm run bench -- load`: asks at half, once and twice of what a node can
 * do.
 */
import { parseArgs } from 'node:util';
import { busyShare } from './bench/machine.ts';
import { measureLoad } from './bench/load/load.ts';
import { measureSoak } from './bench/load/soak.ts';
import { measureMany } from './bench/many/many.ts';
import { ENGINES, measureParts, PARTS } from './bench/parts.ts';
import { tableOf } from './bench/report.ts';

const MOST_BUSY = 0.1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    devices: { type: 'string', default: '10000' },
    resolved: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '1' },
    engine: { type: 'string', multiple: true, default: [...ENGINES] },
  },
});

const busy = await busyShare();
if (busy > MOST_BUSY)
  process.stderr.write(
    `This machine is ${Math.round(busy * 100)} % busy with something else: trust the ratios and the counts only.\n`,
  );
const engines = chosen(ENGINES, values.engine);
const measured =
  positionals[0] === 'many'
    ? measureMany(engines, {
        devices: Number(values.devices),
        resolved: Number(values.resolved),
        minutes: Number(values.minutes),
      })
    : positionals[0] === 'load'
      ? measureLoad(engines, values.quick)
      : positionals[0] === 'soak'
        ? measureSoak(engines, Number(values.minutes))
        : measureParts({ parts: chosen(PARTS, positionals), engines, quick: values.quick });
for await (const rows of measured)
  process.stdout.write(values.json ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : tableOf(rows));

function chosen<Name extends string>(names: readonly Name[], asked: string[]): Name[] {
  const unknown = asked.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${names.join(', ')}.`);
  return asked.length === 0 ? [...names] : names.filter((name) => asked.includes(name));
}
