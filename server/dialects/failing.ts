import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, toProblem } from '#shared/problem.ts';
import { toRefusal, sendProblem } from '../platform/http/problems.ts';
import { TooMany } from '../platform/http/rate-limits.ts';
import type { Log } from '../platform/log.ts';
import type { Notices } from '../notices/send.ts';
import { tellUnasked } from '../notices/unasked.ts';
import type { Dialect } from './dialect.ts';
import { nameKind, replyAtOnce } from './hook-reply.ts';

/** What a hook's own tool takes for an error that it may ignore; a wrong address or key is shown to whoever sets it up. */
const SHOWN = [401, 403, 404];

/**
 * What is sent in place of a reply under 200, once the headers are on the wire or where the status would let a hook's
 * tool run: nobody decided, in the hook's words, else the problem.
 */
export function inPlaceOfReply(dialect: Dialect, error: AppError, undecided?: (reason: string) => unknown): unknown {
  return undecided?.(error.message) ?? toProblem(withMembers(dialect, error));
}

function withMembers(dialect: Dialect | undefined, error: AppError): AppError {
  const beside = dialect?.besideProblem?.(error.message);
  if (!beside) return error;
  const { status, code, message, faults, extra } = error;
  return new AppError(status, code, message, { ...(faults && { faults }), extra: { ...extra, ...beside } });
}

/**
 * The error handler of asks: what goes wrong before a body is read is told in the dialect's form too. Where it will go
 * wrong again the hub's owner gets a notice: the hook's own program may say nothing of it.
 */
export function refuseInForm({ dialects, notices, log }: { dialects: Dialect[]; notices: Notices; log: Log }) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = toRefusal(thrown, log, `${request.method} ${request.url}`);
    const { dialect: name } = request.params as { dialect?: string };
    const asked = dialects.find((one) => one.name === name);
    // A hook that was sent to the wrong address understands only its own form.
    const sender = dialects.find((one) => one.undecided && one.name === error.faults?.[0]?.params?.['dialect']);
    const dialect = sender ?? asked;
    if (error instanceof TooMany) void reply.header('retry-after', error.retryAfterSeconds);
    if (dialect) nameKind(reply, dialect, 'undecided', error.message);
    if (!dialect?.undecided || SHOWN.includes(error.status)) return sendProblem(reply, withMembers(dialect, error));
    log.warn({ dialect: name, code: error.code, reason: error.message }, 'nobody was asked for a hook');
    const body = dialect.undecided(parseBody(request.body))(error.message);
    const { caller } = request;
    // What a parser refuses is about one call alone.
    if (caller?.kind === 'source' && thrown instanceof AppError && error.status < 500 && error.status !== 429)
      await tellUnasked(notices, { sourceId: caller.id, agent: dialect.label, error }).catch((failure: unknown) =>
        log.error({ err: failure }, 'the owner could not be told of a hook that asks nobody'),
      );
    return replyAtOnce(reply.code(200), dialect, body);
  };
}

function parseBody(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
