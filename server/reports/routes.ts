import type { Database } from '../platform/database.ts';
import type { Http } from '../platform/http/server.ts';
import { auditRoutes } from '../audit/routes.ts';
import { attentionRoutes } from './attention/routes.ts';
import { historyRoutes } from './history/routes.ts';

/** What was settled, how much a person is asked, and the log of both. */
export function reportRoutes(app: Http, { database }: { database: Database }): void {
  historyRoutes(app, { database });
  attentionRoutes(app, { database });
  auditRoutes(app, database);
}
