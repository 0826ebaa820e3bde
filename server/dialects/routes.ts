import { collectWith } from '../inquiries/collected.ts';
import type { Http } from '../platform/http/server.ts';
import { z } from 'zod';
import { AppError } from '#shared/problem.ts';
import { deviceOf, routeFor, sourceOf } from '../platform/http/access.ts';
import { readBodies } from '../platform/http/bodies.ts';
import { clientGone, onceClosed } from '../platform/http/late-reply.ts';
import { Id, Waiting } from '../platform/http/params.ts';
import { applyPreference, PREFER, readWait } from '../platform/http/wait.ts';
import { readInTurn } from '../platform/turns.ts';
import { NOBODY } from '../deliveries/inquiry-devices.ts';
import { inquiriesOfAsk, readAsRecipient, sourceView } from '../inquiries/store.ts';
import { askPosted, type Dialects } from './ask.ts';
import { clientRoutes } from './client/routes.ts';
import { readExamples } from './examples.ts';
import { refuseInForm } from './failing.ts';
import { writeReply, readAskRows } from './open.ts';
import { AskQuery } from './query.ts';
import { findDialect } from './take.ts';
import { waitForAll } from './wait.ts';
import { withdrawAsk } from './withdraw.ts';
import { readForSource } from '../inquiries/read.ts';
import { validityHeader } from '../inquiries/validity.ts';

const BODY_LIMIT = 4 * 1024 * 1024;
const route = routeFor('source', 'Sources');
const Accepted = z
  .object({
    ask: z.string().describe('The id of the ask.'),
    inquiries: z.array(z.string()).describe('The ids of its inquiries.'),
  })
  .meta({ id: 'AskAccepted', description: 'An ask whose reply is not there yet, or is not wanted any more.' });

/** A framework's own request as an ask, and its own reply. */
export async function dialectRoutes(app: Http, hub: Dialects): Promise<void> {
  const { dialects } = hub;
  const { bodies, replies } = readExamples(dialects);
  await app.register(async (scope: Http) => {
    // LangGraph Server posts its JSON as text/plain, curl as a form.
    scope.removeAllContentTypeParsers();
    readBodies(scope, '*', 'string');
    scope.setErrorHandler(refuseInForm(hub));
    route(scope, 'POST /v1/ask/:dialect', "Ask with a framework's own JSON, and get its own reply", {
      bodyLimit: BODY_LIMIT,
      operationId: 'askInDialect',
      description:
        'Send what your framework says when it wants a person, and resume it with the reply. Without an `Idempotency-Key` an identical call that still waits is found again.',
      problems: [
        'dialect.unknown',
        'ask.other_dialect',
        'ask.unanswered',
        'ask.needs_http_1_1',
        'ask.unknown',
        'elicitation.invalid',
        'inquiry.key_reused',
        'source.too_many_open',
        'source.too_much_open',
        'schema.too_many',
        'wait.too_many',
        'hub.overloaded',
        'hub.stopping',
      ],
      headers: {
        ...PREFER,
        'Idempotency-Key':
          'Makes the call repeatable: the same key with the same question gets the same reply. 1 to 180 printable ASCII characters.',
      },
      params: z.object({
        dialect: z.string().describe('The framework: one of those that 404 lists under `dialects`.'),
      }),
      querystring: AskQuery,
      body: z.unknown().meta({ 'x-examples': bodies }),
      response: { 200: z.unknown().meta({ 'x-examples': replies }), 202: Accepted },
      handler: (request, reply) => {
        const { headers, body } = request;
        const signal = clientGone(reply.raw);
        const text = typeof body === 'string' ? body : '';
        const dialect = findDialect(dialects, request.params.dialect);
        // Kept while it waits: a question that was used up is asked again.
        // A hook takes whatever is replied for a decision: no hint shortens its wait.
        const waits = readWait(dialect.undecided ? { query: request.query, headers: {} } : request, Infinity);
        const query = { ...request.query, wait: waits.ms };
        if (waits.ms > 0)
          onceClosed(reply.raw, hub.inquiries.waiters.places.take('wait', sourceOf(request).id, text.length));
        return askPosted(hub, {
          dialect,
          source: sourceOf(request),
          query,
          waits,
          key: headers['idempotency-key'],
          text,
          signal,
          reply,
        });
      },
    });
  });
  laterRoutes(app, hub);
  replyRoute(app, hub);
  clientRoutes(app);
}

function laterRoutes(app: Http, { inquiries, dialects }: Dialects): void {
  route(app, 'GET /v1/asks/:id', 'The reply to an ask, in the form of its framework; 202 while it is open', {
    operationId: 'readAsk',
    description: 'Reads or waits for the reply of an ask that was made with `wait=0`, or whose connection broke.',
    problems: ['ask.unknown', 'ask.unanswered', 'wait.too_many'],
    headers: PREFER,
    params: Id,
    querystring: Waiting,
    handler: async (request, reply) => {
      const signal = clientGone(reply.raw);
      const { id: sourceId } = sourceOf(request);
      const { id } = request.params;
      const waits = readWait(request);
      const { ms } = waits;
      if (ms > 0) onceClosed(reply.raw, inquiries.waiters.places.take('wait', sourceId));
      const rows = await readAskRows(inquiries, id, sourceId);
      const ids = rows.map((row) => row.id);
      const waiting = { sourceId, by: 'source', ms, signal } as const;
      const read =
        ms === 0
          ? await Promise.all(ids.map((one) => readForSource(inquiries, one, sourceId)))
          : (await waitForAll(inquiries, { inquiryIds: ids, read: [] }, waiting)).inquiries;
      if (signal.aborted) return reply.hijack();
      const [first] = read;
      const decided = read.every(({ resolution }) => resolution !== undefined);
      applyPreference(reply, waits, !decided && `/v1/asks/${id}`);
      if (!first || !decided) return reply.code(202).send({ ask: id, inquiries: ids });
      // HEAD carries no reply.
      if (request.method !== 'HEAD') for (const inquiry of read) collectWith(inquiries, reply.raw, inquiry);
      void reply.headers(validityHeader(read));
      const now = inquiries.database.clock.now();
      return reply.send(writeReply(findDialect(dialects, first.dialect?.name ?? ''), rows[0].kept, read, now));
    },
  });

  route(app, 'POST /v1/asks/:id/withdraw', 'Take an ask back', {
    operationId: 'withdrawAsk',
    description: 'Withdraws every inquiry of it that is open.',
    problems: ['ask.unknown', 'ask.already_resolved'],
    params: Id,
    body: z.strictObject({ reason: z.string().max(2000).optional().describe('Why, in a few words.') }),
    response: { 200: Accepted },
    handler: async (request) => {
      const { id } = request.params;
      const asked = { askId: id, sourceId: sourceOf(request).id, reason: request.body.reason };
      return { ask: id, inquiries: await withdrawAsk(inquiries, asked) };
    },
  });
}

function replyRoute(app: Http, { inquiries, dialects }: Dialects): void {
  routeFor('device', 'People')(app, 'GET /v1/inquiries/:id/reply', 'What went back to the framework that asked', {
    operationId: 'readReply',
    description: 'The reply as the framework got it, for the person who answered.',
    problems: ['inquiry.unknown', 'inquiry.no_reply', 'ask.unanswered'],
    params: Id,
    handler: async (request, reply) => {
      const { database } = inquiries;
      const row = await readAsRecipient(database, request.params.id, deviceOf(request).person.id);
      const { ask_id: askId } = row;
      const [rows] = askId === null ? [[row]] : await readInTurn(() => database.rows(inquiriesOfAsk(askId)));
      const [first] = rows;
      if (!first?.kept || rows.some(({ resolution }) => resolution === null))
        throw new AppError(404, 'inquiry.no_reply', 'Nothing went back to a framework for this inquiry.');
      const views = rows.map((one) => sourceView(one, { reach: NOBODY }));
      const now = database.clock.now();
      return reply.send(writeReply(findDialect(dialects, views[0]?.dialect?.name ?? ''), first.kept, views, now));
    },
  });
}
