import type { Http } from '../../../platform/http/server.ts';
import { z } from 'zod';
import { ChangeDecider, Decider, DeciderName, NewDecider, Run, TestDecider } from '#shared/policies/decider.ts';
import { list } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../../../platform/http/access.ts';
import { DONE, Id } from '../../../platform/http/params.ts';
import { runDecider } from '../model/run.ts';
import {
  changeDecider,
  createDecider,
  findDecider,
  listDeciders,
  unknownDecider,
  type DeciderParts,
  removeDecider,
} from './store.ts';
import { clientGone } from '../../../platform/http/late-reply.ts';
import type { DeciderQuestion } from '../model/call.ts';

/** What the owner does with deciders, and which there are for every device. */
export function deciderRoutes(app: Http, parts: DeciderParts): void {
  const route = routeFor('owner', 'Deciders');

  routeFor('device', 'Deciders')(app, 'GET /v1/deciders', 'List deciders; all of each only to the owner', {
    operationId: 'listDeciders',
    description: 'Others see their ids, names and how long a decision is shown.',
    response: { 200: list(z.union([Decider, DeciderName])) },
    handler: async (request) => {
      const all = await listDeciders(parts.database.read);
      if (deviceOf(request).person.owner) return { items: all };
      return {
        items: all.map(({ id, name, holdSeconds, off }) => ({ id, name, holdSeconds, ...(off ? { off } : {}) })),
      };
    },
  });

  route(app, 'POST /v1/deciders', 'Make a decider', {
    operationId: 'createDecider',
    description: 'An agent that answers in a person’s place where the owner lets it.',
    problems: ['decider.too_many'],
    body: NewDecider,
    response: { 201: Decider },
    handler: (request) => createDecider(parts, request.body, deviceOf(request).id),
  });

  route(app, 'PATCH /v1/deciders/:id', 'Change a decider; without a key the stored one stays', {
    operationId: 'changeDecider',
    description: 'Members that are absent stay as they are.',
    problems: ['decider.unknown', 'decider.key_of_another_host'],
    params: Id,
    body: ChangeDecider,
    response: { 200: Decider },
    handler: ({ params, body }) => changeDecider(parts, params.id, body),
  });

  route(app, 'DELETE /v1/deciders/:id', 'Remove a decider that nothing names any more', {
    operationId: 'removeDecider',
    description: 'Sources and rules that name it have to be changed first.',
    problems: ['decider.unknown', 'decider.in_use'],
    params: Id,
    response: DONE,
    handler: ({ params }) => removeDecider(parts.database, params.id),
  });

  testRoute(app, parts);
}

function testRoute(app: Http, parts: DeciderParts): void {
  routeFor('owner', 'Deciders')(app, 'POST /v1/deciders/:id/test', 'Ask a decider an example question', {
    operationId: 'testDecider',
    description: 'Shows what is sent and what comes back; nothing is decided.',
    problems: ['decider.unknown'],
    params: Id,
    body: TestDecider,
    response: { 200: Run },
    handler: async ({ params, body }, reply) => {
      const decider = await findDecider(parts, params.id);
      if (!decider) throw unknownDecider();
      const question = { ...EXAMPLE, ask: { ...EXAMPLE.ask, ...body } };
      return runDecider(decider, question, { signal: clientGone(reply.raw) });
    },
  });
}

const EXAMPLE = {
  ask: {
    title: 'Which colour?',
    prompt: 'Which colour shall the button have, blue or green? The background is white.',
  },
  sourceName: 'Beckon',
  locale: 'en' as const,
  examples: [],
} satisfies DeciderQuestion;
