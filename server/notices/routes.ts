import type { Http } from '../platform/http/server.ts';
import { z } from 'zod';
import { NewNotice, Notice, page } from '#shared/wire.ts';
import { deviceOf, routeFor, sourceOf } from '../platform/http/access.ts';
import { DONE, Id, paging } from '../platform/http/params.ts';
import { listNotices, readNotice } from './read.ts';
import { sendNotice, type Notices } from './send.ts';

const ListQuery = paging('ntc', 50).extend({
  unread: z.stringbool().default(false).describe('`true`: only those that were not read yet.'),
});

/** One-way messages: sources send them, people read them. */
export function noticeRoutes(app: Http, notices: Notices): void {
  const { database } = notices;
  const [sourceRoute, deviceRoute] = [routeFor('source', 'Notices'), routeFor('device', 'Notices')];
  sourceRoute(app, 'POST /v1/notices', 'Send a notice; 200 when the key was used for the same notice before', {
    operationId: 'sendNotice',
    description: 'A one-way message: it notifies people and waits for nothing.',
    problems: ['notice.key_reused', 'notice.too_many'],
    body: NewNotice,
    response: { 200: Notice, 201: Notice },
    handler: async (request, reply) => {
      const { notice, isNew } = await sendNotice(notices, sourceOf(request).id, request.body);
      return reply.code(isNew ? 201 : 200).send(notice);
    },
  });
  deviceRoute(app, 'GET /v1/notices', 'List your notices, newest first', {
    operationId: 'listNotices',
    description: 'What sources told me.',
    querystring: ListQuery,
    response: { 200: page(Notice) },
    handler: (request) => listNotices(database.read, { ...request.query, personId: deviceOf(request).person.id }),
  });
  deviceRoute(app, 'POST /v1/notices/:id/read', 'Mark a notice read, on all your devices', {
    operationId: 'readNotice',
    description: 'It leaves the unread ones everywhere.',
    problems: ['notice.unknown'],
    params: Id,
    response: DONE,
    handler: (request) => readNotice(notices, deviceOf(request).person.id, request.params.id),
  });
}
