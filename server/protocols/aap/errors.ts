import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/problem.ts';
import { ClientGone } from '../../platform/http/late-reply.ts';
import { toRefusal } from '../../platform/http/problems.ts';
import { TooMany } from '../../platform/http/rate-limits.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';

/** A refusal that only this protocol knows. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;

  constructor(status: number, code: string, message: string, param?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

const TYPES: Record<number, string> = {
  400: 'invalid_request',
  401: 'authentication',
  403: 'authorization',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid_request',
  429: 'rate_limit',
  500: 'internal',
  503: 'dependency',
};

const CODES: Record<string, string> = {
  'inquiry.key_reused': 'idempotency_conflict',
  'inquiry.already_resolved': 'already_terminal',
};

/** A refusal in the protocol's own form, with the status that it has for it. */
export function toError(error: AppError | Refused, requestId: string): { status: number; body: object } {
  const ours = error instanceof AppError;
  const status = ours ? toStatus(error.status) : error.status;
  const param = ours ? error.faults?.[0]?.path.split('/')[1] : error.param;
  const body = {
    type: TYPES[status],
    code: ours ? (CODES[error.code] ?? error.code.replaceAll('.', '_')) : error.code,
    message: error.message,
    ...(param ? { param } : {}),
    request_id: requestId,
  };
  return { status, body: { error: body } };
}

// 422 is the receiver's alone, and a body that is too large or of another type is malformed too.
function toStatus(status: number): number {
  if (status !== 422 && status in TYPES) return status;
  return status < 500 ? 400 : 500;
}

const ids = new WeakMap<FastifyRequest, string>();

function idOf(request: FastifyRequest): string {
  const id = ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}

/** Gives every reply of these routes its `X-Request-ID`, and every refusal the protocol's own form. */
export function speakErrors(scope: Http, log: Log): void {
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof ClientGone) return reply.hijack();
    const where = `${request.method} ${request.url}`;
    const { status, body } = toError(error instanceof Refused ? error : toRefusal(error, log, where), idOf(request));
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    if (error instanceof TooMany) void reply.header('retry-after', error.retryAfterSeconds);
    // No hook sees a refusal of an address that reaches no route.
    void reply.header('x-request-id', idOf(request));
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  scope.setErrorHandler(refuse);
  scope.refusals.set(scope.prefix, refuse);
  scope.addHook('onSend', async (request, reply) => void reply.header('x-request-id', idOf(request)));
}

/** The idempotency key of a call; throws 400 without one. */
export function idempotencyKey({ headers }: FastifyRequest): string {
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && key !== '') return key;
  throw new Refused(400, 'idempotency_key_missing', 'An Idempotency-Key header is required.', 'Idempotency-Key');
}
