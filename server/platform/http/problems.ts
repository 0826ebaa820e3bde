import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { JsonError } from '#shared/json.ts';
import { invalid } from '#shared/faults.ts';
import { AppError, toProblem } from '#shared/problem.ts';
import type { ProblemCode } from '#shared/reference/problems.ts';
import { redactUrl, type Log } from '../log.ts';
import { damaged, isDamage } from '../sqlite/damage.ts';
import { ClientGone } from './late-reply.ts';
import { TooMany } from './rate-limits.ts';

/** Turns whatever was thrown into a refusal; an unhandled error becomes `internal` and is logged. */
export function toRefusal(error: unknown, log: Log, where: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof JsonError) {
    return error.kind === 'malformed'
      ? new AppError(400, 'request.malformed', error.message)
      : invalid([{ path: '', code: 'text.unsafe', message: `cannot be taken: ${error.message}` }]);
  }
  const { code = '', statusCode = 500, message } = error as Partial<FastifyError>;
  const known = REFUSALS[code];
  if (known) return new AppError(...known);
  if (statusCode >= 400 && statusCode < 500) return new AppError(statusCode, 'request.refused', message ?? '');
  log.error({ err: error, where: redactUrl(where) }, 'unhandled error');
  if (isDamage(error)) return damaged(message ?? '', undefined, error);
  return new AppError(500, 'internal', 'The hub failed at this. Its log says why.');
}

/** Sends a refusal as `application/problem+json` (RFC 9457). */
export function sendProblem(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooMany) void reply.header('retry-after', error.retryAfterSeconds);
  return reply
    .code(error.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(toProblem(error)));
}

/** The error handler of the HTTP border; whoever is gone is told nothing. */
export function problemHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    error instanceof ClientGone
      ? reply.hijack()
      : sendProblem(reply, toRefusal(error, log, `${request.method} ${request.url}`));
}

/** Answers what could not be read as HTTP, which reaches no route, with a problem document too, and closes the connection. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const malformed = [400, 'request.malformed', 'This is not a request that HTTP/1.1 knows.'] as const;
  const problem = toProblem(new AppError(...(REFUSALS[error.code ?? ''] ?? malformed)));
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}

/** What Fastify and Node's parser refuse, by their code. */
const REFUSALS: Record<string, readonly [status: number, code: ProblemCode, detail: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'request.too_large', 'The body is larger than this call takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'request.unsupported_media', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'request.malformed', 'The body is not as long as its Content-Length says.'],
  FST_ERR_BAD_URL: [
    400,
    'request.bad_url',
    'The address is not valid: write each "%" as two hexadecimal digits of UTF-8.',
  ],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'request.url_too_long', 'A part of the address is longer than any id.'],
  HPE_HEADER_OVERFLOW: [
    431,
    'request.headers_too_large',
    'The headers are larger than 16 KiB; send fewer or shorter ones.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request.too_slow', 'The call took too long to arrive; send it again.'],
};
