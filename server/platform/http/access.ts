import type { FastifyRequest, HTTPMethods, RawServerDefault, RouteGenericInterface, RouteHandlerMethod } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Kysely } from 'kysely';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import type { ProblemCode } from '#shared/reference/problems.ts';
import type { Schema } from '../schema.ts';
import type { Http } from './server.ts';

/**
 * Who may call a route; "operator" and "connection", whose token stands in the address, check that themselves. A route
 * that says nothing is refused at start.
 */
export type Access = 'public' | 'operator' | 'connection' | 'source' | 'device' | 'owner' | 'any';

type Responses = Record<number, z.ZodType>;

/** What the reference says of a call, how its parts are read, and what it does. */
type CallSpec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Responses> = {
  operationId: string;
  description: string;
  /** The problems that it answers beside those that every call of its kind can answer. */
  problems?: readonly ProblemCode[];
  /** It becomes an inquiry. */
  asks?: true;
  /** Headers that it reads, with what they do. */
  headers?: Record<string, string>;
  params?: P;
  querystring?: Q;
  body?: B;
  /** Where it names one status, that is the reply's. */
  response?: R;
  bodyLimit?: number;
  /** False where a HEAD would do the work of a GET for nobody. */
  exposeHeadRoute?: boolean;
  preValidation?: (request: FastifyRequest) => Promise<void>;
  handler: RouteHandlerMethod<
    RawServerDefault,
    IncomingMessage,
    ServerResponse,
    RouteGenericInterface,
    unknown,
    { params: P; querystring: Q; body: B; response: R },
    ZodTypeProvider
  >;
};

/** Adds calls that share their callers and their tags in the OpenAPI page, each with what differs. */
export function routeFor(access: Access, ...tags: string[]) {
  return <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Responses>(
    app: Http,
    at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
    summary: string,
    call: CallSpec<P, Q, B, R>,
  ): void => {
    const { problems, asks, headers, bodyLimit, exposeHeadRoute, preValidation, handler, ...described } = call;
    const [method, url] = at.split(' ') as [HTTPMethods, string];
    const [status, other] = Object.keys(described.response ?? {});
    app.route({
      method,
      url,
      ...(bodyLimit && { bodyLimit }),
      ...(exposeHeadRoute === false && { exposeHeadRoute }),
      ...(preValidation && { preValidation }),
      config: { access, ...(problems && { problems }), ...(asks && { asks }), ...(headers && { headers }) },
      schema: { summary, tags, ...described },
      async handler(request, reply) {
        if (status !== undefined && other === undefined) reply.code(Number(status));
        return handler.call(this, request as never, reply as never);
      },
    });
  };
}

export type SourceCaller = {
  kind: 'source';
  id: string;
  name: string;
  ownerId: string;
  locale?: 'en' | 'zh' | undefined;
  /** The owner lets it ask a decider itself. */
  mayAskDecider?: boolean;
  /** Its client may have subscribed to events. */
  subscribed?: boolean;
};
export type DeviceCaller = {
  kind: 'device';
  id: string;
  name: string;
  person: { id: string; handle: string; name: string; owner: boolean; locale: 'en' | 'zh' | undefined };
};
export type Caller = SourceCaller | DeviceCaller;

/** Finds who holds a credential, from the database, at every call: a revoke is at once. */
export type FindCaller = (token: string) => Promise<Caller | 'unknown' | 'revoked' | 'expired'>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Calls of whoever watches over the hub, which must not be refused for those of others. */
    uncounted?: true;
    problems?: readonly ProblemCode[];
    headers?: Record<string, string>;
  }
  interface FastifyRequest {
    caller?: Caller;
  }
}

const REFUSED = {
  unknown:
    'This credential is not known here. Sources use a key that starts with bks_, devices a token that starts with bkd_.',
  revoked: 'This device was signed out. Let it in again from another device.',
  expired: 'This device was not used for 90 days. Let it in again from another device.',
} as const;

/** Who holds the credential of a request, or why nobody does. */
export type Found = Caller | keyof typeof REFUSED | 'missing';

/** The caller that a call with this access lets through, if it has one; throws 401 or 403 (SEC1, RES5). */
export function authorize(access: Access, found: Found): Caller | undefined {
  if (access === 'operator' || access === 'connection') return undefined;
  if (typeof found === 'string') {
    if (access === 'public') return undefined;
    throw found === 'missing' ? missing() : refusedCredential(found);
  }
  if (access === 'public' || access === 'any') return found;
  if (access === 'source' && found.kind !== 'source') throw wrongKind('Only a source key (bks_…) can do this.');
  if (access !== 'source' && found.kind !== 'device') {
    throw wrongKind(
      'A source can ask, read its own and withdraw its own; this needs the token of a device of a person.',
    );
  }
  if (access === 'owner' && found.kind === 'device' && !found.person.owner) {
    throw new AppError(403, 'person.not_owner', 'Only the owner of this hub can do this.');
  }
  return found;
}

/**
 * Throws 401 when the credential behind a call was revoked after the call began. Whoever waits is checked with this
 * again before it is told anything: a wait may outlive its credential.
 */
export async function assertNotRevoked(read: Kysely<Schema>, { kind, id }: Pick<Caller, 'kind' | 'id'>): Promise<void> {
  const row = await read
    .selectFrom(kind === 'source' ? 'sources' : 'devices')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw refusedCredential(kind === 'source' ? 'unknown' : 'revoked');
}

/** The source behind a request of a route with access "source". */
export function sourceOf(request: FastifyRequest): SourceCaller {
  if (request.caller?.kind !== 'source') throw missing();
  return request.caller;
}

/** The device behind a request of a route with access "device" or "owner". */
export function deviceOf(request: FastifyRequest): DeviceCaller {
  if (request.caller?.kind !== 'device') throw missing();
  return request.caller;
}

/** The credential in an `Authorization` header; empty where it holds none. */
export function bearer(header: string): string {
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

/** 401: the credential is not, or no longer, good here. */
export function refusedCredential(reason: keyof typeof REFUSED): AppError {
  return new AppError(401, `credential.${reason}`, REFUSED[reason]);
}

function missing(): AppError {
  return new AppError(401, 'credential.missing', 'Send "Authorization: Bearer …" with a source key or a device token.');
}

function wrongKind(detail: string): AppError {
  return new AppError(403, 'credential.wrong_kind', detail);
}
