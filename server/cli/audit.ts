import { hashEntry, readEntries, showEntry } from '../audit/entries.ts';
import { verifyLog, type Known } from '../audit/verify.ts';
import { readKeySet } from '../receipts/keys.ts';
import { readFileOrInput } from './asking/options.ts';
import { command } from './command/command.ts';
import { withHubData } from './command/hub-data.ts';
import { EXIT, print, UsageError } from './command/terminal.ts';
import { readKeys } from './verify.ts';

const auditVerify = command({
  name: 'audit verify',
  does: 'say whether the sealed log and what it names are as they were written',
  options: {
    keys: {
      type: 'string',
      value: 'FILE',
      means: 'the key set of the hub, /.well-known/jwks.json, kept elsewhere; by default that of the data',
    },
    known: {
      type: 'string',
      value: 'FILE',
      means: 'what "audit export" printed before; what it holds has to be there still',
    },
  },
  json: true,
  more: `Runs beside a hub or without one. What was forgotten after RETAIN_DAYS, or AUDIT_DAYS for entries, is no fault. Whoever has the
data and its sealing key can write a log anew: only keys and exports that are kept elsewhere show that.`,
  exits: { 0: 'all is as it was written', 3: 'something is not; prints what, a line each' },
  examples: ['beckon audit verify', 'beckon audit verify --known /safe/log.jsonl --keys /safe/jwks.json'],
  run: ({ values, json }, terminal) =>
    withHubData(terminal, async ({ database }) => {
      const keys =
        values.keys === undefined
          ? (await readKeySet({ database })).keys
          : readKeys(readFileOrInput(values.keys, '--keys'));
      const known = values.known === undefined ? undefined : readKnown(readFileOrInput(values.known, '--known'));
      const found = await verifyLog(database, { keys, ...(known && { known }) });
      const { entries, rows, waiting, faults } = found;
      const holds = `The log is as it was written: ${entries} entries, ${rows} rows; ${waiting} more will stand in the next entry.`;
      print(terminal, json, found, faults.length === 0 ? holds : faults.join('\n'));
      return faults.length === 0 ? EXIT.ok : EXIT.no;
    }),
});

const auditExport = command({
  name: 'audit export',
  does: 'print the entries of the sealed log, a line of JSON each',
  options: { after: { type: 'string', value: 'NUMBER', means: 'only those behind this number' } },
  more: 'What is kept elsewhere shows later what was changed, also to whoever could sign anew.',
  examples: ['beckon audit export --after "$(tail -n 1 /safe/log.jsonl | jq .number)" >> /safe/log.jsonl'],
  run: ({ values: { after = '0' } }, terminal) => {
    if (!/^\d{1,9}$/.test(after)) throw new UsageError('--after must be the number of an entry, e.g. 4118.');
    return withHubData(terminal, async ({ database: { read } }) => {
      for await (const part of readEntries(read, Number(after)))
        terminal.out.write(
          part
            .flatMap(showEntry)
            .map((entry) => `${JSON.stringify(entry)}\n`)
            .join(''),
        );
    });
  },
});

function readKnown(text: string): Known {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line, at) => {
      try {
        const { number, jws } = JSON.parse(line) as { number?: unknown; jws?: unknown };
        if (typeof number === 'number' && typeof jws === 'string') return [number, hashEntry(jws)];
      } catch {
        // Said below.
      }
      throw new UsageError(`--known has no entry in line ${at + 1}; give it what "beckon audit export" printed.`);
    }),
  );
}

export const auditCommands = [auditVerify, auditExport];
