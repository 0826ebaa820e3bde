import type { Http } from '../../platform/http/server.ts';
import { z } from 'zod';
import { Attention, AttentionDays } from '#shared/policies/attention.ts';
import type { Database } from '../../platform/database.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import { clientGone } from '../../platform/http/late-reply.ts';
import { takingTurns } from '../../platform/loop.ts';
import { readAttention } from './attention.ts';

/** How much a person is asked, told to that person only. */
export function attentionRoutes(app: Http, { database }: { database: Database }): void {
  routeFor('device', 'People')(
    app,
    'GET /v1/attention',
    'How often each source notified me, when, what of it went without me, and what would',
    {
      operationId: 'readAttention',
      description: 'Counts of the last 7 or 30 days in my time zone, with rules that would have spared me decisions.',
      querystring: z.object({ days: AttentionDays.default('7').describe('So many days that end today.') }),
      response: { 200: Attention },
      handler: (request, reply) =>
        readAttention(database, deviceOf(request).person, request.query.days, takingTurns(clientGone(reply.raw))),
    },
  );
}
