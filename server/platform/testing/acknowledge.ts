import { writeSync } from 'node:fs';
import { type DatabaseOptions, openDatabase } from '../engines/open.ts';

export type Acknowledging = { options: DatabaseOptions; prefix: string; lanes: number; rows: number };

/** A hub's life for a crash test: stores rows on several lanes at once and prints each name once it is acknowledged. */
const { options, prefix, lanes, rows } = JSON.parse(process.argv[2] ?? '') as Acknowledging;
const database = await openDatabase(options);

async function lane(number: number): Promise<void> {
  for (let row = 0; row < rows; row += 1) {
    const name = `${prefix}-${number}-${row}`;
    await database.transaction(async (trx) => {
      await trx.insertInto('settings').values({ name, value: name }).execute();
    });
    writeSync(1, `${name}\n`);
  }
}

await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
await database.close();
