import { DatabaseError } from 'pg';
import { AppError } from '#shared/problem.ts';

/**
 * What a failed call means to the hub: what the server says of a statement comes back as it is, a lost, refused or
 * stopping server as AppError 503 `database.unavailable`.
 */
export function toHubError(error: unknown): unknown {
  if (readCode(error) === '57014') {
    const detail = 'The database could not do this in time; send it again.';
    return new AppError(503, 'database.too_slow', detail, { cause: error });
  }
  if (!isConnectionLost(error)) return error;
  const detail = 'The database cannot be reached at the moment; send it again.';
  return new AppError(503, 'database.unavailable', detail, { cause: error });
}

/** Whether the connection this happened on is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  // 25006: after a failover this is now the standby, and only a new connection finds the primary.
  if (error instanceof DatabaseError) return /^(08|57P|53|25006)/.test(error.code ?? '') || error.severity === 'FATAL';
  // pg reports everything that is not the server's own word as a plain Error: closed sockets, time-outs, DNS.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof AppError);
}

/** Whether a statement was not run because a newer node has added a column to its table since it was planned. */
export function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

/** Whether a row was locked by somebody else for longer than a statement waits. */
export function isBlocked(error: unknown): boolean {
  return readCode(error) === '55P03';
}

/** A serialization failure, a deadlock or a stale plan: nothing was changed and the same work may succeed at once. */
export function isConflict(error: unknown): boolean {
  return isStale(error) || ['40001', '40P01'].includes(readCode(error) ?? '');
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'database.unavailable';
}

/** Whether the server had ended the session before it read what was sent: this node was frozen in a transaction. */
export function isIdledOut(error: unknown): boolean {
  return error instanceof AppError && readCode(error.cause) === '25P03';
}

function readCode(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}
