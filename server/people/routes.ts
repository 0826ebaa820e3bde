import type { PasskeyNews } from '#shared/schemas/passkeys.ts';
import { ChangeGroup, Group, NewGroup, NewPerson, NewPersonReply, page, Person, PersonLink } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../platform/http/access.ts';
import type { Database } from '../platform/database.ts';
import { DONE, Id, paging } from '../platform/http/params.ts';
import type { Http } from '../platform/http/server.ts';
import { changeGroup, createGroup, listGroups, removeGroup } from './groups.ts';
import { invite, linkPerson, type MakeLink } from './invite.ts';
import { relyingOn } from './passkeys/relying.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { removePerson, type WithdrawAskedOf } from './remove.ts';
import { listPeople } from './store.ts';

export type PeopleDeps = {
  database: Database;
  makeLink: MakeLink;
  withdraw: WithdrawAskedOf;
  publicUrl: () => string;
  /** Tells pages what was committed; `revoked`: a device went with its person. */
  announce: { revoked(deviceId: string): void; toPerson(id: string, name: 'passkey', event: PasskeyNews): void };
};

/** The owner's calls about people and groups. */
export function peopleRoutes(app: Http, { database, makeLink, withdraw, publicUrl, announce }: PeopleDeps): void {
  groupRoutes(app, { database });
  const tell = (personId: string, news: PasskeyNews) => announce.toPerson(personId, 'passkey', news);
  passkeyRoutes(app, { database, relying: () => relyingOn(publicUrl()), tell });
  const route = routeFor('owner', 'People');

  route(app, 'GET /v1/people', 'List people', {
    operationId: 'listPeople',
    description: 'Everybody who can be asked here, oldest first.',
    querystring: paging('per', 100),
    response: { 200: page(Person) },
    handler: ({ query }) => listPeople(database.read, query.cursor ?? '', query.limit),
  });

  route(app, 'POST /v1/people', 'Invite a person with a one-time link', {
    operationId: 'invitePerson',
    description: 'Give them the link: the first device that opens it is theirs.',
    problems: ['handle.taken'],
    body: NewPerson,
    response: { 201: NewPersonReply },
    handler: (request) => invite(database, makeLink, request.body, deviceOf(request).id),
  });

  route(app, 'POST /v1/people/:id/link', 'Make another one-time link for a person', {
    operationId: 'linkPerson',
    description: 'For a lost phone, or a link that ran out.',
    problems: ['person.unknown'],
    params: Id,
    response: { 201: PersonLink },
    handler: (request) => linkPerson(database, makeLink, request.params.id, deviceOf(request).id),
  });

  route(app, 'DELETE /v1/people/:id', 'Remove a person and their devices', {
    operationId: 'removePerson',
    description: 'What only they were asked is withdrawn.',
    problems: ['person.unknown', 'person.is_owner'],
    params: Id,
    response: DONE,
    handler: async ({ params }) => {
      for (const id of await removePerson(database, params.id, withdraw)) announce.revoked(id);
    },
  });
}

function groupRoutes(app: Http, { database }: { database: Database }): void {
  const route = routeFor('owner', 'Groups');

  route(app, 'GET /v1/groups', 'List groups', {
    operationId: 'listGroups',
    description: 'Each with the handles of its members.',
    querystring: paging('grp', 100),
    response: { 200: page(Group) },
    handler: ({ query }) => listGroups(database.read, query.cursor ?? '', query.limit),
  });

  route(app, 'POST /v1/groups', 'Make a group', {
    operationId: 'createGroup',
    description: 'People and groups share one set of handles.',
    problems: ['handle.taken'],
    body: NewGroup,
    response: { 201: Group },
    handler: ({ body }) => createGroup(database, body),
  });

  route(app, 'PUT /v1/groups/:id', 'Change the name or the members of a group', {
    operationId: 'changeGroup',
    description: 'What was asked of it before keeps its people.',
    problems: ['group.unknown'],
    params: Id,
    body: ChangeGroup,
    response: { 200: Group },
    handler: ({ params, body }) => changeGroup(database, params.id, body),
  });

  route(app, 'DELETE /v1/groups/:id', 'Remove a group', {
    operationId: 'removeGroup',
    description: 'Its people stay.',
    problems: ['group.unknown'],
    params: Id,
    response: DONE,
    handler: ({ params }) => removeGroup(database, params.id),
  });
}
