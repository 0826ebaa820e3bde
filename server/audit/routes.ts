import { z } from 'zod';
import { list } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import { routeFor } from '../platform/http/access.ts';
import type { Http } from '../platform/http/server.ts';
import { LogClaims, readEntriesAfter, showEntry } from './entries.ts';

const LogEntry = LogClaims.extend({
  jws: z.string().describe('The entry as it was signed: a compact JWS (RFC 7515), `typ` "beckon-log+jwt".'),
}).meta({ id: 'LogEntry', description: 'An entry of the sealed log; its hash stands in the next one.' });

/** The sealed log, for whoever keeps a copy of it elsewhere. */
export function auditRoutes(app: Http, { read }: Pick<Database, 'read'>): void {
  routeFor('owner', 'Receipts')(
    app,
    'GET /v1/audit',
    'The sealed log: what was resolved and changed, in signed entries',
    {
      operationId: 'listAudit',
      description:
        'Oldest first. Read on after the last number of each page until one is empty, and keep what you read: it shows later what was changed.',
      querystring: z.strictObject({
        after: z.coerce
          .number()
          .int()
          .min(0)
          .max(2_147_483_647)
          .default(0)
          .describe('Only entries behind this number.'),
        limit: z.coerce.number().int().min(1).max(20).default(10).describe('How many entries, at most 20.'),
      }),
      response: { 200: list(LogEntry) },
      handler: async ({ query: { after, limit } }) => ({
        items: (await readEntriesAfter(read, after, limit)).flatMap(showEntry),
      }),
    },
  );
}
