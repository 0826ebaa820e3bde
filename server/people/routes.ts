import { ChangeGroup, Group, NewGroup, NewPerson, NewPersonReply, page, Person, PersonLink } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import { DONE, Id, paging } from '../platform/http/params.ts';
import type { Http } from '../platform/http/server.ts';
import { changeGroup, createGroup, listGroups, removeGroup } from './groups.ts';
import { invite, linkPerson, type MakeLink } from './invite.ts';
import { removePerson, type WithdrawAskedOf } from './remove.ts';
import { listPeople } from './store.ts';

export type PeopleDeps = {
  database: Database;
  makeLink: MakeLink;
  withdraw: WithdrawAskedOf;
  /** These devices went with their person. */
  revoked(deviceIds: string[]): void;
};

/** The owner's calls about people and groups. */
export function peopleRoutes(app: Http, { database, makeLink, withdraw, revoked }: PeopleDeps): void {
  groupRoutes(app, { database });
  const route = routeFor('owner', 'People');

  app.get(
    '/v1/people',
    route('List people', {
      operationId: 'listPeople',
      description: 'Everybody who can be asked here, oldest first.',
      querystring: paging('per', 100),
      response: { 200: page(Person) },
    }),
    async ({ query }) => listPeople(database.read, query.cursor ?? '', query.limit),
  );

  app.post(
    '/v1/people',
    route('Invite a person with a one-time link', {
      operationId: 'invitePerson',
      description: 'Give them the link: the first device that opens it is theirs.',
      problems: ['handle.taken'],
      body: NewPerson,
      response: { 201: NewPersonReply },
    }),
    async (request, reply) =>
      reply.code(201).send(await invite(database, makeLink, request.body, deviceOf(request).id)),
  );

  app.post(
    '/v1/people/:id/link',
    route('Make another one-time link for a person', {
      operationId: 'linkPerson',
      description: 'For a lost phone, or a link that ran out.',
      problems: ['person.unknown'],
      params: Id,
      response: { 201: PersonLink },
    }),
    async (request, reply) =>
      reply.code(201).send(await linkPerson(database, makeLink, request.params.id, deviceOf(request).id)),
  );

  app.delete(
    '/v1/people/:id',
    route('Remove a person and their devices', {
      operationId: 'removePerson',
      description: 'What only they were asked is withdrawn.',
      problems: ['person.unknown', 'person.is_owner'],
      params: Id,
      response: DONE,
    }),
    async ({ params }, reply) => {
      revoked(await removePerson(database, params.id, withdraw));
      return reply.code(204).send();
    },
  );
}

function groupRoutes(app: Http, { database }: { database: Database }): void {
  const route = routeFor('owner', 'Groups');

  app.get(
    '/v1/groups',
    route('List groups', {
      operationId: 'listGroups',
      description: 'Each with the handles of its members.',
      querystring: paging('grp', 100),
      response: { 200: page(Group) },
    }),
    async ({ query }) => listGroups(database.read, query.cursor ?? '', query.limit),
  );

  app.post(
    '/v1/groups',
    route('Make a group', {
      operationId: 'createGroup',
      description: 'People and groups share one set of handles.',
      problems: ['handle.taken'],
      body: NewGroup,
      response: { 201: Group },
    }),
    async ({ body }, reply) => reply.code(201).send(await createGroup(database, body)),
  );

  app.put(
    '/v1/groups/:id',
    route('Change the name or the members of a group', {
      operationId: 'changeGroup',
      description: 'What was asked of it before keeps its people.',
      problems: ['group.unknown'],
      params: Id,
      body: ChangeGroup,
      response: { 200: Group },
    }),
    async ({ params, body }) => changeGroup(database, params.id, body),
  );

  app.delete(
    '/v1/groups/:id',
    route('Remove a group', {
      operationId: 'removeGroup',
      description: 'Its people stay.',
      problems: ['group.unknown'],
      params: Id,
      response: DONE,
    }),
    async ({ params }, reply) => {
      await removeGroup(database, params.id);
      return reply.code(204).send();
    },
  );
}
