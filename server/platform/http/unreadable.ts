import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, problemOf } from '#shared/problem.ts';

/** Answers what could not be read as HTTP, which reaches no route, with a problem document too, and closes the connection. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const problem = problemOf(refusalOf(error.code));
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

function refusalOf(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        431,
        'request.headers_too_large',
        'The headers are larger than 16 KiB; send fewer or shorter ones.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError(408, 'request.too_slow', 'The call took too long to arrive; send it again.');
    default:
      return new AppError(400, 'request.malformed', 'This is not a request that HTTP/1.1 knows.');
  }
}
