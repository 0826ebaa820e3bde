import { Readable } from 'node:stream';
import type { Http } from '../../platform/http/server.ts';
import type { Database } from '../../platform/database.ts';
import { z } from 'zod';
import { AskingSource, HistoryFilter, InquiryContext } from '#shared/history.ts';
import { Inquiry } from '#shared/inquiry.ts';
import { Preview, PreviewPolicies } from '#shared/policies/preview.ts';
import { AppError } from '#shared/problem.ts';
import { page, list } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import { clientGone, closeUndrained, onceClosed } from '../../platform/http/late-reply.ts';
import { Id, paging } from '../../platform/http/params.ts';
import { takingTurns, type Turn } from '../../platform/loop.ts';
import { findRuleFaults } from '../../automation/rules/change.ts';
import { toAnswerer } from '../../inquiries/answerer.ts';
import type { Reader } from '../../inquiries/store.ts';
import { readContext, readSources } from './context.ts';
import { exportHistory } from './export.ts';
import { previewRules } from './preview.ts';
import { readHistory } from './read.ts';

const route = routeFor('device', 'People');
const UNDER_WAY = 'An export of your history is under way on this node already. Let it end first.';
const TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** What was settled: looked through, searched and exported; and what of it helps with an open inquiry. */
export function historyRoutes(app: Http, { database }: { database: Database }): void {
  const { read } = database;
  exportRoute(app, read);
  route(app, 'GET /v1/history', 'What was resolved, newest first; searched by words, outcome, source and time', {
    operationId: 'listHistory',
    description: 'Inquiries that I was asked and that have ended. Every parameter narrows it further.',
    querystring: paging('inq', 50).extend(HistoryFilter.shape),
    response: { 200: page(Inquiry) },
    handler: (request, reply) =>
      readHistory(read, toAnswerer(deviceOf(request), 'http'), request.query, takingTurns(clientGone(reply.raw))),
  });

  route(
    app,
    'GET /v1/inquiries/:id/context',
    'What was asked before in the same run, and how I decided the last one like it',
    {
      operationId: 'readContext',
      description: 'What helps to decide an inquiry, of what I was asked only, and never a secret.',
      problems: ['inquiry.unknown'],
      params: Id,
      response: { 200: InquiryContext },
      handler: (request, reply) =>
        readContext(database, request.params.id, deviceOf(request).person, takingTurns(clientGone(reply.raw))),
    },
  );

  routeFor('device', 'Policies')(
    app,
    'POST /v1/policies/preview',
    'What rules would have made of what I was asked lately',
    {
      operationId: 'previewPolicies',
      description: 'Tries rules on my newest resolved inquiries, and changes nothing.',
      body: PreviewPolicies,
      response: { 200: Preview },
      handler: (request, reply) =>
        previewOf(database, deviceOf(request).person, request.body, takingTurns(clientGone(reply.raw))),
    },
  );

  route(app, 'GET /v1/people/me/sources', 'The sources that have asked me, lately', {
    operationId: 'listAskingSources',
    description: 'Their ids and names, for filters and rules.',
    response: { 200: list(AskingSource) },
    handler: async (request, reply) => ({
      items: await readSources(read, deviceOf(request).person.id, takingTurns(clientGone(reply.raw))),
    }),
  });
}

async function previewOf(
  database: Database,
  person: Parameters<typeof previewRules>[1],
  body: PreviewPolicies,
  turn: Turn,
): Promise<Preview> {
  const which = { of: body.of === 'hub' ? ('hub' as const) : ('person' as const), personId: person.id };
  const faults = await findRuleFaults(database, which, body.rules);
  return { ...(await previewRules(database.read, person, body, turn)), faults };
}

function exportRoute(app: Http, read: Reader): void {
  /** Who has one under way on this node. */
  const exporting = new Set<string>();
  route(app, 'GET /v1/history/export', 'The same as one file, JSON or CSV', {
    operationId: 'exportHistory',
    description: 'All of it that fits, as a download; one at a time for each person.',
    problems: ['export.under_way'],
    querystring: HistoryFilter.extend({
      format: z.enum(['json', 'csv']).default('json').describe('The form of the file.'),
    }),
    // A HEAD would read all of it, for nobody.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { format, ...filter } = request.query;
      const viewer = toAnswerer(deviceOf(request), 'http');
      if (exporting.has(viewer.personId)) throw new AppError(409, 'export.under_way', UNDER_WAY);
      exporting.add(viewer.personId);
      onceClosed(reply.raw, () => exporting.delete(viewer.personId));
      closeUndrained(reply.raw);
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="beckon-history.${format}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(exportHistory(read, viewer, filter, format, takingTurns(clientGone(reply.raw)))));
    },
  });
}
