import type { LoopWatch } from '../loop.ts';
import type { Http } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Since when, by `performance.now()`, this request may have waited in this process and its socket. */
    arrivedAt: number;
  }
}

/**
 * Notes when each request arrived: at the look at the sockets before the one that read it, if it was read whole at once,
 * else when its last byte came. A client that sends slowly gains nothing.
 */
export function noteArrivals(app: Http, { lookedAt }: Pick<LoopWatch, 'lookedAt'>): void {
  app.decorateRequest('arrivedAt', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    const at = lookedAt();
    // By the end of this turn everything that lay in the socket has been read.
    setImmediate(() => {
      if (request.raw.complete) request.arrivedAt = at;
    });
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    request.arrivedAt ||= lookedAt();
    done();
  });
}
