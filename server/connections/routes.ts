import type { Http } from '../platform/http/server.ts';
import { z } from 'zod';
import {
  ChangeConnection,
  Connection,
  NewAddress,
  NewConnection,
  NewConnectionReply,
} from '#shared/connections/connection.ts';
import { Check, Contact, Trouble } from '#shared/connections/contact.ts';
import { page, list } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../platform/http/access.ts';
import { DONE, Id, paging } from '../platform/http/params.ts';
import { checkConnection } from './check.ts';
import { listContacts, recordContact } from './contacts.ts';
import {
  changeConnection,
  createConnection,
  listConnections,
  removeConnection,
  renewToken,
  readRow,
  toCheck,
  toCheckBefore,
  type ConnectionParts,
} from './store.ts';

const route = routeFor('owner', 'Connections');

export type ConnectionsDeps = ConnectionParts & {
  /** The address under which platforms reach this hub. */
  publicUrl(): string;
  /** Called after the commit: what the connection has open is withdrawn. */
  revoked(sourceId: string): void;
  /** Called after the commit: the calls of a token that is not good any more are cut. */
  changed(sourceId: string): void;
};

/** The owner's calls about connections. */
export function connectionRoutes(app: Http, deps: ConnectionsDeps): void {
  const { publicUrl, revoked, changed, ...parts } = deps;
  const toAddress = (token: string): string => `${publicUrl()}/v1/in/${token}`;

  route(app, 'GET /v1/connections', 'List connections', {
    operationId: 'listConnections',
    description: 'How platforms that cannot speak this API ask.',
    response: { 200: list(Connection) },
    handler: async () => ({ items: await listConnections(parts) }),
  });

  route(app, 'POST /v1/connections', 'Make a connection; its address is shown this once', {
    operationId: 'createConnection',
    description: 'Give the address to the platform.',
    body: NewConnection,
    response: { 201: NewConnectionReply },
    handler: async (request) => {
      const { id, person } = deviceOf(request);
      const made = await createConnection(parts, { ownerId: person.id, madeBy: id }, request.body);
      const { connection, token, webhookSecret } = made;
      return { connection, url: toAddress(token), webhookSecret };
    },
  });

  route(app, 'PATCH /v1/connections/:id', 'Change a connection; null takes a member away', {
    operationId: 'changeConnection',
    description: 'Members that are absent stay as they are.',
    problems: ['connection.unknown', 'connection.has_open_questions', 'connection.credentials_of_another_host'],
    params: Id,
    body: ChangeConnection,
    response: { 200: Connection },
    handler: async ({ params, body }) => {
      const connection = await changeConnection(parts, params.id, body);
      changed(params.id);
      return connection;
    },
  });

  route(app, 'DELETE /v1/connections/:id', 'Remove a connection; what it has open is withdrawn', {
    operationId: 'removeConnection',
    description: 'Its address is unknown from now on.',
    problems: ['connection.unknown'],
    params: Id,
    response: DONE,
    handler: async ({ params }) => {
      await removeConnection(parts, params.id);
      revoked(params.id);
    },
  });

  const renewal = 'Give a connection another address; the one before is unknown from now on';
  route(app, 'POST /v1/connections/:id/address', renewal, {
    operationId: 'renewAddress',
    description: 'For an address that others have seen.',
    problems: ['connection.unknown'],
    params: Id,
    body: z.strictObject({}),
    response: { 200: NewAddress },
    handler: async ({ params }) => {
      const { connection, token } = await renewToken(parts, params.id);
      changed(params.id);
      return { connection, url: toAddress(token) };
    },
  });

  contactRoutes(app, parts);
}

function contactRoutes(app: Http, parts: ConnectionParts): void {
  const { clock, read } = parts.database;

  route(app, 'GET /v1/connections/:id/contacts', 'List the last contacts of a connection', {
    operationId: 'listContacts',
    description: 'What went between the hub and the platform, newest first, without bodies.',
    problems: ['connection.unknown'],
    params: Id,
    querystring: paging('ctc', 50),
    response: { 200: page(Contact) },
    handler: async ({ params, query }) => {
      await readRow(read, params.id);
      return listContacts(read, { sourceId: params.id, ...query });
    },
  });

  route(app, 'POST /v1/connections/check', 'Try a connection before it is made', {
    operationId: 'checkNewConnection',
    description: 'The hub calls the platform once and says how that went; nothing is stored.',
    body: NewConnection,
    response: { 200: Check },
    handler: ({ body }) => checkConnection(toCheckBefore(body), clock),
  });

  route(app, 'POST /v1/connections/:id/check', 'Try a connection', {
    operationId: 'checkConnection',
    description: 'The hub calls the platform once and says how that went.',
    problems: ['connection.unknown'],
    params: Id,
    body: z.strictObject({}),
    response: { 200: Check },
    handler: async ({ params }) => {
      const checked = await checkConnection(await toCheck(parts, params.id), clock);
      const { ok, status, ms, code, detail } = checked;
      const problem = ok ? undefined : Trouble.parse({ code, detail });
      await recordContact(parts.database, params.id, { what: 'check', status, ms, problem });
      return checked;
    },
  });
}
