import { Inquiry } from '#shared/inquiry.ts';
import { AskYolo, StartYolo, Yolo, YoloReport, Yolos as Shown } from '#shared/policies/yolo.ts';
import { deviceOf, routeFor, sourceOf } from '../../platform/http/access.ts';
import { clientGone } from '../../platform/http/late-reply.ts';
import type { Http } from '../../platform/http/server.ts';
import { takingTurns } from '../../platform/loop.ts';
import { DONE, Id } from '../../platform/http/params.ts';
import { readYoloStates, selectYolos, toYolo } from './store.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { askForYolo } from './asked.ts';
import { reportYolo } from './report.ts';
import { markYoloSeen, startYolo, stopYolo, type Yolos } from './yolo.ts';

const route = routeFor('device', 'Policies');
const SHOWN = 20;

/** YOLO of the person who calls; nobody starts or stops another's. */
export function yoloRoutes(app: Http, yolos: Yolos): void {
  const { database } = yolos;

  route(app, 'GET /v1/yolo', 'Read whether YOLO runs, and when it ran before', {
    operationId: 'readYolo',
    description: 'The one that runs, the one that ended unseen, and the newest 20 that ended.',
    response: { 200: Shown },
    handler: async (request) => {
      const personId = deviceOf(request).person.id;
      const past = selectYolos(database.read).where('yolos.person_id', '=', personId).where('ended_at', 'is not', null);
      const rows = await past.limit(SHOWN).execute();
      return { ...(await readYoloStates(database.read, [personId])).get(personId), past: rows.map(toYolo) };
    },
  });

  route(app, 'POST /v1/yolo', 'Start YOLO: for a while what I alone am asked is settled without me', {
    operationId: 'startYolo',
    description: 'At most 24 hours. What other people are asked too is not touched.',
    problems: ['yolo.running'],
    body: StartYolo,
    response: { 201: Yolo },
    handler: (request) => startYolo(yolos, deviceOf(request), request.body),
  });

  route(app, 'POST /v1/yolo/:id/stop', 'Stop YOLO on all devices', {
    operationId: 'stopYolo',
    description: 'From now on I am asked again.',
    problems: ['yolo.unknown'],
    params: Id,
    response: { 200: Yolo },
    handler: (request) => stopYolo(yolos, deviceOf(request), request.params.id),
  });

  route(app, 'POST /v1/yolo/:id/seen', 'Note that I looked at what YOLO did', {
    operationId: 'markYoloSeen',
    description: 'Its end is no longer shown on my pages.',
    problems: ['yolo.unknown'],
    params: Id,
    response: DONE,
    handler: (request) => markYoloSeen(yolos, deviceOf(request).person.id, request.params.id),
  });

  route(app, 'GET /v1/yolo/:id', 'Read what YOLO did', {
    operationId: 'readYoloReport',
    description: 'Short enough to be read in ten seconds.',
    problems: ['yolo.unknown'],
    params: Id,
    response: { 200: YoloReport },
    handler: (request, reply) =>
      reportYolo(database.read, request.params.id, deviceOf(request).person, takingTurns(clientGone(reply.raw))),
  });
}

/** A source asks a person for YOLO for its own calls. */
export function yoloAskRoute(app: Http, inquiries: Inquiries): void {
  routeFor('source', 'Policies')(
    app,
    'POST /v1/yolo/ask',
    'Ask a person for YOLO for its own calls, where the owner allows that',
    {
      operationId: 'askForYolo',
      description:
        'For a while the calls of this source are settled without that person, who approves or rejects it like any call.',
      problems: ['yolo.not_allowed', 'yolo.running', 'source.too_many_open', 'source.too_much_open'],
      body: AskYolo,
      response: { 201: Inquiry },
      handler: (request) => askForYolo(inquiries, sourceOf(request).id, request.body),
    },
  );
}
