import type { Selectable } from 'kysely';
import type { Resolution } from '#shared/answer.ts';
import { AppError } from '#shared/problem.ts';
import type { Schema } from '../platform/schema.ts';
import { readStored } from '../platform/stored.ts';
import { isAsAsked } from './given.ts';
import { openSecrets } from './seal.ts';

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
