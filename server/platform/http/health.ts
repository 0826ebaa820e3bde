import { setTimeout as pause } from 'node:timers/promises';
import type { Http } from './server.ts';
import { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import type { Database } from '../database.ts';
import { VERSION } from '../settings.ts';
import { sendProblem } from './problems.ts';

export type Health = {
  database: Pick<Database, 'ping' | 'clockDiffers'>;
  /** Parts that are away while the node goes on. */ degraded: () => string[];
  stopping: () => boolean;
};

const DATABASE_WITHIN_MS = 2_000;

/** `/healthz`: the process runs, and which version. `/readyz`: it can take calls; 503 while the database does not answer or, on SQLite, cannot be written, and while it stops. */
export function healthRoutes(app: Http, { database, degraded, stopping }: Health): void {
  const config = { access: 'public', uncounted: true } as const;
  const alive = { hide: true, response: { 200: z.object({ status: z.string(), version: z.string() }) } };
  app.get('/healthz', { config, schema: alive }, () => ({ status: 'ok', version: VERSION }));
  app.get('/readyz', { config, schema: { hide: true } }, async (_request, reply) => {
    if (stopping()) return sendProblem(reply, new AppError(503, 'hub.stopping', 'The hub is stopping.'));
    try {
      await Promise.race([
        database.ping(),
        pause(DATABASE_WITHIN_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('too slow'))),
      ]);
    } catch {
      const detail = 'The database does not answer or cannot be written, perhaps for a full disk.';
      return sendProblem(reply, new AppError(503, 'database.unavailable', detail));
    }
    const clock = database.clockDiffers?.() ? ['clock'] : [];
    return reply.send({ status: 'ready', degraded: [...degraded(), ...clock] });
  });
}
