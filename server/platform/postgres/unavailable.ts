import { DatabaseError } from 'pg';
import { AppError } from '#shared/problem.ts';

/**
 * What a failed call means: the server's verdict on a statement comes back as it is, a lost, refused or stopping
 * server as AppError 503 `database.unavailable`.
 */
export function verdictOf(error: unknown): unknown {
  const overdue = error instanceof DatabaseError && error.code === '57014';
  if (!overdue && !isConnectionLost(error)) return error;
  const refusal = overdue
    ? new AppError(503, 'database.too_slow', 'The database could not do this in time; send it again.')
    : new AppError(503, 'database.unavailable', 'The database cannot be reached at the moment; send it again.');
  refusal.cause = error;
  return refusal;
}

/** Whether the connection this happened on is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  // 25006: after a failover this is now the standby, and only a new connection finds the primary.
  if (error instanceof DatabaseError) return /^(08|57P|53|25006)/.test(error.code ?? '') || error.severity === 'FATAL';
  // pg reports everything that is not the server's own verdict as a plain Error: closed sockets, time-outs, DNS.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof AppError);
}
