import type { Selectable } from 'kysely';
import type { Resolution } from '#shared/answer.ts';
import { AppError } from '#shared/problem.ts';
import type { Schema } from '../platform/schema.ts';
import { readStored } from '../platform/stored.ts';
import { isAsAsked } from './given.ts';
import { openSecrets } from './seal.ts';

/** The view of a row; undefined, and a warning of this process that names it, where what is stored of it is damaged. */
export function viewUndamaged<Row extends { id: string }, View>(row: Row, view: (row: Row) => View): View | undefined {
  try {
    return view(row);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'inquiry.damaged')) throw error;
    process.emitWarning(`${row.id} is left out of a list, for what is stored of it is damaged: run "beckon check".`);
    return undefined;
  }
}

export type Stored = Pick<
  Selectable<Schema['inquiries']>,
  'id' | 'asked' | 'transport' | 'asked_of' | 'digest' | 'outcome' | 'resolution' | 'sealed'
>;

/** What is damaged of an inquiry, as far as that can be seen; undefined: nothing. Secrets are opened where there is a key. */
export function findDamage(row: Stored, key: Buffer | undefined): string | undefined {
  const { transport, asked_of, outcome, resolution, sealed } = row;
  try {
    for (const text of [transport, asked_of]) readStored(text);
    if (!isAsAsked(row)) return 'what was asked does not fit its digest';
    const resolved = resolution === null ? undefined : readStored<Resolution>(resolution);
    if (resolved?.outcome !== (outcome ?? undefined)) return 'its outcome is not that of its resolution';
    if (sealed !== null && key) openSecrets({}, sealed, key);
    return undefined;
  } catch (error) {
    return error instanceof AppError && error.code === 'inquiry.damaged'
      ? 'what is stored of it is no JSON'
      : `its secrets cannot be opened: ${(error as Error).message}`;
  }
}
