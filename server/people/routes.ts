import { z } from 'zod';
import { ChangeGroup, Group, NewGroup, NewPerson, NewPersonReply, page, Person, PersonLink } from '#shared/wire.ts';
import { deviceOf } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import type { Http } from '../platform/http/http.ts';
import { Id, paging } from '../platform/http/params.ts';
import { changeGroup, createGroup, listGroups, removeGroup } from './groups.ts';
import { invite, linkPerson, type MakeLink } from './invite.ts';
import { removePerson, type WithdrawAskedOf } from './remove.ts';
import { listPeople } from './store.ts';

const gone = z.undefined().describe('done');

export type PeopleDeps = {
  database: Database;
  makeLink: MakeLink;
  withdraw: WithdrawAskedOf;
  /** These devices went with their person. */
  revoked(deviceIds: string[]): void;
};

/** The owner's calls about people. */
export function peopleRoutes(app: Http, { database, makeLink, withdraw, revoked }: PeopleDeps): void {
  const config = { access: 'owner' } as const;
  const tags = ['People'];

  app.get(
    '/v1/people',
    {
      config,
      schema: { summary: 'List people', tags, querystring: paging('per', 100), response: { 200: page(Person) } },
    },
    async ({ query }) => listPeople(database.read, query.cursor ?? '', query.limit),
  );

  app.post(
    '/v1/people',
    {
      config,
      schema: {
        summary: 'Invite a person with a one-time link',
        tags,
        body: NewPerson,
        response: { 201: NewPersonReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await invite(database, makeLink, request.body, deviceOf(request).id)),
  );

  app.post(
    '/v1/people/:id/link',
    {
      config,
      schema: { summary: 'Make another one-time link for a person', tags, params: Id, response: { 201: PersonLink } },
    },
    async (request, reply) =>
      reply.code(201).send(await linkPerson(database, makeLink, request.params.id, deviceOf(request).id)),
  );

  app.delete(
    '/v1/people/:id',
    { config, schema: { summary: 'Remove a person and their devices', tags, params: Id, response: { 204: gone } } },
    async ({ params }, reply) => {
      revoked(await removePerson(database, params.id, withdraw));
      return reply.code(204).send();
    },
  );
}

/** The owner's calls about groups. */
export function groupRoutes(app: Http, { database }: { database: Database }): void {
  const config = { access: 'owner' } as const;
  const tags = ['Groups'];

  app.get(
    '/v1/groups',
    {
      config,
      schema: { summary: 'List groups', tags, querystring: paging('grp', 100), response: { 200: page(Group) } },
    },
    async ({ query }) => listGroups(database.read, query.cursor ?? '', query.limit),
  );

  app.post(
    '/v1/groups',
    { config, schema: { summary: 'Make a group', tags, body: NewGroup, response: { 201: Group } } },
    async ({ body }, reply) => reply.code(201).send(await createGroup(database, body)),
  );

  app.put(
    '/v1/groups/:id',
    {
      config,
      schema: {
        summary: 'Change the name or the members of a group',
        tags,
        params: Id,
        body: ChangeGroup,
        response: { 200: Group },
      },
    },
    async ({ params, body }) => changeGroup(database, params.id, body),
  );

  app.delete(
    '/v1/groups/:id',
    { config, schema: { summary: 'Remove a group', tags, params: Id, response: { 204: gone } } },
    async ({ params }, reply) => {
      await removeGroup(database, params.id);
      return reply.code(204).send();
    },
  );
}
