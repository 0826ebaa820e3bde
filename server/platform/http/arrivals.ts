import type { Arrivals } from '../loop.ts';
import type { Http } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Since when, by `performance.now()`, this request may have waited in this process and its socket. */
    arrivedAt: number;
    /** Called once this request has come to its handler. */
    entered?: (() => void) | undefined;
  }
}

/**
 * Notes when each request arrived: at the look at the sockets before the one that read it, if it was read whole at once,
 * else when its last byte came. A client that sends slowly gains nothing. Until its handler has it, it counts as entering.
 */
export function noteArrivals(app: Http, { lookedAt, entering }: Arrivals): void {
  app.decorateRequest('arrivedAt', 0);
  app.decorateRequest('entered', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const at = lookedAt();
    request.entered = entering?.();
    reply.raw.once('close', () => request.entered?.());
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
  app.addHook('preHandler', (request, _reply, done) => {
    done();
    request.entered?.();
  });
}
