import { DatabaseError } from 'pg';
import { AppError } from '#shared/problem.ts';

/**
 * What a failed call means: the server's verdict on a statement comes back as it is, a lost, refused or stopping
 * server as AppError 503 `database.unavailable`.
 */
export function verdictOf(error: unknown): unknown {
  if (!isConnectionLost(error)) return error;
  const refusal = new AppError(503, 'database.unavailable', 'The database cannot be reached at the moment; send it again.');
  refusal.cause = error;
  return refusal;
}

/** Whether the connection this happened on is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08|57P|53)/.test(error.code ?? '') || error.severity === 'FATAL';
  // pg reports everything that is not the server's own verdict as a plain Error: closed sockets, time-outs, DNS.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof AppError);
}
