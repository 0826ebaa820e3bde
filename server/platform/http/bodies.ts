import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCounts } from '../counts.ts';
import type { LoopWatch } from '../loop.ts';
import { createTurns, createWork, inTurn, SMALL_BYTES, type Turns, type Work } from '../turns.ts';
import { onceClosed } from './late-reply.ts';
import { TooMany } from './rate-limits.ts';
import type { Http } from './server.ts';

/** What a caller may have under way to a node at once, or wait to have read there. */
const MOST_BYTES = 33_554_432;
/** The bodies of public calls are small, and whoever sends them is unknown. */
const PUBLIC_BODY_LIMIT = 65_536;
const RETRY_SECONDS = 1;

declare module 'fastify' {
  interface FastifyInstance {
    turns: Turns;
    lookedAt: LoopWatch['lookedAt'];
  }
  interface FastifyRequest {
    /** The source whose body it is, where the border does not read the credential. */
    bodyOf: string | undefined;
    /** Counts its body no longer. */
    bodyRead: (() => void) | undefined;
    /** Its large body and the large things that it reads take turns with those of its caller's other calls. */
    work: Work | undefined;
  }
}

/** Counts the bodies of each caller that are under way. */
export function createBudget(most = MOST_BYTES) {
  const taken = createCounts();
  return {
    /** Counts so many bytes until the result is called; throws 429 where the caller has too many. One body always fits. */
    take(caller: string, bytes: number): () => void {
      const before = taken.of(caller);
      if (before > 0 && before + bytes > most) {
        const detail = `Bodies of ${most} bytes of this credential are under way already; send fewer at once, and this one again in ${RETRY_SECONDS} s.`;
        throw new TooMany('request.too_much', detail, RETRY_SECONDS);
      }
      return taken.add(caller, bytes);
    },
  };
}

/**
 * Counts what arrives before any of it is read: what a caller sends beyond its limit is refused by its headers alone. Of
 * the large bodies and readings of one caller one is worked on at a time, so that others wait for one and not for all.
 */
export function limitBodies(app: Http, { lookedAt }: Pick<LoopWatch, 'lookedAt'>): void {
  const budget = createBudget();
  app.decorate('turns', createTurns());
  app.decorate('lookedAt', lookedAt);
  app.decorateRequest('bodyOf', undefined);
  app.decorateRequest('bodyRead', undefined);
  app.decorateRequest('work', undefined);
  app.addHook('onRoute', (route) => {
    if (route.config?.access === 'public') route.bodyLimit ??= PUBLIC_BODY_LIMIT;
  });
  // Behind every check of the headers, and before the body.
  app.addHook('preParsing', async (request, reply) => {
    const caller = nameCaller(request);
    const bytes = announced(request);
    // What nobody answers for is small and limited by its connections: a shared limit would lock others out.
    if (caller === undefined || bytes === 0) return;
    const leave = budget.take(caller, bytes);
    request.bodyRead = leave;
    onceClosed(reply.raw, leave);
  });
  app.addHook('preValidation', (request, reply, done) => {
    const caller = nameCaller(request);
    if (caller !== undefined) request.work ??= createWork(app.turns, caller);
    if (!request.work) return done();
    onceClosed(reply.raw, request.work.close);
    inTurn(request.work, done);
  });
}

/** Reads the bodies of this type in a scope, each in its caller's turn. */
export function readBodies(
  scope: FastifyInstance,
  type: string,
  parseAs: 'string' | 'buffer',
  read: (body: string) => unknown = (body) => body,
): void {
  scope.addContentTypeParser(type, { parseAs: parseAs as 'string' }, async (request: FastifyRequest, body: string) => {
    // Until here it was its client that it waited for.
    request.arrivedAt ||= scope.lookedAt();
    if (body.length > SMALL_BYTES) {
      request.work = createWork(scope.turns, nameCaller(request) ?? `address ${request.ip}`);
      await request.work.take();
    }
    request.bodyRead?.();
    return read(body);
  });
}

function nameCaller({ caller, bodyOf }: FastifyRequest): string | undefined {
  if (caller) return `${caller.kind} ${caller.id}`;
  return bodyOf === undefined ? undefined : `source ${bodyOf}`;
}

/** How long its sender says that it is, or how long it may become. */
function announced({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}
