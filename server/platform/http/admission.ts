import type { FastifyRequest } from 'fastify';
import { createCounts } from '../counts.ts';
import { onceClosed } from './late-reply.ts';
import { TooMany } from './rate-limits.ts';
import type { Http } from './server.ts';

/** So many asks a node works on at once that has more to do than it can: as many as share a flush. */
const MOST = 64;
/** An ask that takes longer has waited for others, or the database has. */
const PROMPT_MS = 100;
/** A burst is worked off; only what stands for longer is more than a node can do. */
const STANDING_MS = 2_000;
/** So long after its last refusal a node lets no queue grow again. */
const WARY_MS = 10_000;
/** Those that were refused together come back apart. */
const RETRY_SECONDS = 4;

declare module 'fastify' {
  interface FastifyInstance {
    asks: Admission;
  }
  interface FastifyContextConfig {
    /** What is sent here becomes an inquiry: it is refused while the node has more to do than it can. */
    asks?: true;
  }
  interface FastifyRequest {
    /** Ends the count of what it asks before that is stored. */
    uncount: (() => void) | undefined;
  }
}

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Counts the asks that are on their way to the database, and refuses further ones while a queue of them stands: none was
 * stored promptly for two seconds, and more are under way than share a flush.
 */
export function createAdmission(now = () => performance.now()) {
  const underWay = createCounts();
  let [all, refused] = [0, 0];
  let promptAt = now();
  let waryUntil = -Infinity;

  function count(caller: string): () => void {
    const at = now();
    if (all++ === 0) promptAt = at;
    const leave = underWay.add(caller);
    return () => {
      if (!leave()) return;
      all--;
      const end = now();
      if (end - at <= PROMPT_MS) promptAt = end;
    };
  }
  return {
    count,
    /** Counts an ask of this caller until the result is called; throws 503 before anything of it is done. */
    enter(caller: string): () => void {
      const at = now();
      // Whoever sends many does not lock out those who send one.
      const most = underWay.of(caller) > 0 ? MOST : 2 * MOST;
      if (all >= most && (at < waryUntil || at - promptAt > STANDING_MS)) {
        waryUntil = at + WARY_MS;
        this.onRefusal();
        const seconds = 1 + (refused++ % RETRY_SECONDS);
        const detail = `The hub has more to do than it can; nothing was stored. Send it again in ${seconds} s.`;
        throw new TooMany('hub.overloaded', detail, seconds, 503);
      }
      return count(caller);
    },
    /** Does what asks for this caller, who counts until it is done; throws as `enter` does. */
    async run<T>(caller: string, ask: () => Promise<T>): Promise<T> {
      const stored = this.enter(caller);
      try {
        return await ask();
      } finally {
        stored();
      }
    },
    onRefusal: () => {},
  };
}

/** Refuses asks by their headers alone, before their callers are looked up; how long a client sends does not count. */
export function refuseOverload(app: Http, asks: Admission): void {
  app.decorate('asks', asks);
  app.decorateRequest('uncount', undefined);
  const leave = (request: FastifyRequest): void => {
    request.uncount?.();
    request.uncount = undefined;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.asks) return done();
    request.uncount = asks.enter(callerOf(request));
    onceClosed(reply.raw, () => leave(request));
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!request.raw.complete) leave(request);
    done();
  });
}

/** Counts what a request asks until it is stored or refused, also where its client no longer listens; a wait does not count. */
export async function counted<Asked>(request: FastifyRequest, ask: () => Promise<Asked>): Promise<Asked> {
  const uncount = request.uncount ?? request.server.asks.count(callerOf(request));
  request.uncount = undefined;
  return ask().finally(uncount);
}

function callerOf({ headers }: FastifyRequest): string {
  return headers.authorization ?? '';
}
