import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { JsonError } from '#shared/json.ts';
import { invalid } from '#shared/faults.ts';
import { AppError, problemOf } from '#shared/problem.ts';
import { redactUrl, type Log } from '../log.ts';

/** Turns whatever was thrown into a refusal; an unhandled error becomes `internal` and is logged. */
export function refusalOf(error: unknown, log: Log, where: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof JsonError) {
    return error.kind === 'malformed'
      ? new AppError(400, 'request.malformed', error.message)
      : invalid([{ path: '', code: 'text.unsafe', message: `cannot be taken: ${error.message}` }]);
  }
  const known = fastifyRefusal(error as FastifyError);
  if (known) return known;
  log.error({ err: error, where: redactUrl(where) }, 'unhandled error');
  return new AppError(500, 'internal', 'The hub failed at this. Its log says why.');
}

/** Sends a refusal as `application/problem+json` (RFC 9457). */
export function sendProblem(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  return reply
    .code(error.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemOf(error)));
}

/** The error handler of the HTTP border. */
export function problemHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendProblem(reply, refusalOf(error, log, `${request.method} ${request.url}`));
}

function fastifyRefusal(error: FastifyError): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError(413, 'request.too_large', 'The body is larger than this call takes.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(415, 'request.unsupported_media', 'Send the body as application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError(400, 'request.malformed', 'The body is not as long as its Content-Length says.');
    case 'FST_ERR_BAD_URL':
      return new AppError(
        400,
        'request.bad_url',
        'The address is not valid: write each "%" as two hexadecimal digits of UTF-8.',
      );
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError(414, 'request.url_too_long', 'A part of the address is longer than any id.');
    default:
      break;
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError(error.statusCode, 'request.refused', error.message);
  }
  return undefined;
}
