import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { fromUuid, newId, toUuid } from '#shared/ids.ts';
import type { Json } from '#shared/json.ts';
import { Locale } from '#shared/wire.ts';
import { AAP } from '../../deliveries/answer-body.ts';
import { lockQueues, updatePending } from '../../deliveries/queues.ts';
import type { PostOnce } from '../../deliveries/worker.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { routeFor, sourceOf } from '../../platform/http/access.ts';
import { DONE, Id } from '../../platform/http/params.ts';
import type { Http } from '../../platform/http/server.ts';
import { insertSource } from '../../sources/create.ts';
import { removeSource } from '../../sources/store.ts';
import { idempotencyKey, Refused } from './errors.ts';
import { once } from './operations.ts';
import { createVerify, Delivery, refuseUnsafe } from './verify.ts';

const Name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, 'holds a control character');
const Provision = z.strictObject({ instance_name: Name.optional(), delivery: Delivery.optional() });
const Update = z
  .strictObject({ instance_name: Name.optional(), delivery: Delivery.nullable().optional() })
  .refine((body) => Object.keys(body).length > 0, 'changes nothing');

/** So many live instances one provisioner may have. */
const MOST_INSTANCES = 1_000;

type Instance = { id: string; name: string; delivery?: { type: 'webhook'; url: string; registration_id: string } };
type Provisioned = { instance: Instance; credential: { token: string } };

export type Provisioning = {
  database: Database;
  sealingKey: Buffer;
  post: PostOnce;
  /** Called after the commit: withdraws what the source has open, and ends what waits with its key. */
  revoked(sourceId: string): Promise<void>;
};

const route = routeFor('source', 'AAP');

/** The calls of a provisioner, a source that its owner lets make others. */
export function instanceRoutes(scope: Http, parts: Provisioning): void {
  const { database } = parts;
  const change = createChange(parts);
  provisionRoute(scope, database, change);
  updateRoute(scope, database, change);

  route(scope, 'GET /v1/instances/:id', 'Retrieve an instance', {
    operationId: 'aapReadInstance',
    description: 'Without its credential and its secret.',
    params: Id,
    exposeHeadRoute: false,
    handler: async (request) => {
      const provisionerId = await provisionerOf(database, request);
      return (await readInstance(database.read, provisionerId, sourceIdOf(request.params.id))) ?? unknownInstance();
    },
  });

  route(scope, 'DELETE /v1/instances/:id', 'Delete an instance', {
    operationId: 'aapDeleteInstance',
    description: 'Its key is unknown from now on, and what it has open is cancelled.',
    params: Id,
    response: DONE,
    handler: async (request) => {
      const provisionerId = await provisionerOf(database, request);
      const id = sourceIdOf(request.params.id);
      const known = await select(database.read, provisionerId, id).executeTakeFirst();
      if (!known) return unknownInstance();
      await removeSource(database, id).catch(goneBefore);
      await parts.revoked(id);
      return undefined;
    },
  });
}

type Change = ReturnType<typeof createChange>;
type Changing = { provisionerId: string; id: string; operation: string };

/** What makes or changes an instance does so once for the key of its call, with its receiver verified before. */
function createChange(parts: Provisioning) {
  const verify = createVerify(parts.post);
  return <Reply extends object>(
    request: FastifyRequest,
    { provisionerId, id, operation }: Changing,
    work: (trx: Transaction) => Promise<Reply>,
  ) => {
    const { delivery } = request.body as { delivery?: Delivery | null };
    if (delivery) refuseUnsafe(delivery);
    const own = { provisionerId, operation, idempotencyKey: idempotencyKey(request), input: request.body as Json };
    const before = async (): Promise<void> => {
      const now = parts.database.clock.now();
      if (delivery) await verify(delivery, { provisionerId, instanceId: toUuid(id), now });
    };
    return once<Reply>(parts, own, { before, work });
  };
}

function provisionRoute(scope: Http, database: Database, change: Change): void {
  route(scope, 'POST /v1/instances', 'Provision an instance', {
    operationId: 'aapProvision',
    description: 'Makes a source with a key of its own.',
    body: Provision,
    handler: async (request, reply) => {
      const provisionerId = await provisionerOf(database, request);
      const now = database.clock.now();
      const own = { provisionerId, id: newId('src', now) };
      const { reply: made, again } = await change(request, { ...own, operation: 'create' }, (trx) =>
        provision(trx, { ...request.body, ...own, now }),
      );
      if (again && !(await readInstance(database.read, provisionerId, sourceIdOf(made.instance.id))))
        throw new Refused(409, 'instance_deleted', 'The instance of this key was deleted.');
      return reply.code(again ? 200 : 201).send(made);
    },
  });
}

function updateRoute(scope: Http, database: Database, change: Change): void {
  route(scope, 'PATCH /v1/instances/:id', 'Update an instance', {
    operationId: 'aapUpdateInstance',
    description: 'Its name or its receiver, once that is verified.',
    params: Id,
    body: Update,
    handler: async (request) => {
      const provisionerId = await provisionerOf(database, request);
      const id = sourceIdOf(request.params.id);
      if (!(await readInstance(database.read, provisionerId, id))) return unknownInstance();
      const { reply } = await change(request, { provisionerId, id, operation: `update ${id}` }, (trx) =>
        update(trx, { ...request.body, id, provisionerId }),
      );
      return reply;
    },
  });
}

/** Deleting twice is deleting once. */
function goneBefore(error: unknown): void {
  if ((error as { code?: string }).code !== 'source.unknown') throw error;
}

async function provisionerOf({ read }: Database, request: FastifyRequest): Promise<string> {
  const { id } = sourceOf(request);
  const row = await read.selectFrom('sources').select('may_provision').where('id', '=', id).executeTakeFirstOrThrow();
  if (row.may_provision === 1) return id;
  throw new Refused(403, 'not_a_provisioner', 'Only a provisioner manages instances; the owner of the hub makes one.');
}

const sourceIdOf = (uuid: string): string => fromUuid('src', uuid) ?? '';

function unknownInstance(): never {
  throw new Refused(404, 'instance_not_found', 'There is no such instance of this provisioner.', 'id');
}

function select(db: Transaction | Database['read'], provisionerId: string, id: string) {
  return db
    .selectFrom('sources')
    .innerJoin('aap_instances', 'aap_instances.source_id', 'sources.id')
    .select(['sources.name', 'sources.revoked_at', 'sources.webhook_url', 'aap_instances.url', 'registration_id'])
    .where('sources.id', '=', id)
    .where('provisioner_id', '=', provisionerId);
}

async function readInstance(...[db, provisionerId, id]: Parameters<typeof select>): Promise<Instance | undefined> {
  const row = await select(db, provisionerId, id).executeTakeFirst();
  if (!row || row.revoked_at !== null) return undefined;
  const { name, url, registration_id } = row;
  const own = { id: toUuid(id), name };
  if (url === null || registration_id === null || url !== row.webhook_url) return own;
  return { ...own, delivery: { type: 'webhook', url, registration_id } };
}

async function refuseAboveLimit(trx: Transaction, provisionerId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('aap_instances')
    .innerJoin('sources', 'sources.id', 'aap_instances.source_id')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('provisioner_id', '=', provisionerId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_INSTANCES)
    throw new Refused(429, 'too_many_instances', `A provisioner has at most ${MOST_INSTANCES} instances.`);
}

async function provision(
  trx: Transaction,
  made: { id: string; provisionerId: string; now: number } & z.infer<typeof Provision>,
): Promise<Provisioned> {
  const { id, provisionerId, instance_name: name = `Instance ${id.slice(-6)}`, delivery, now } = made;
  await refuseAboveLimit(trx, provisionerId);
  const owner = await trx
    .selectFrom('sources')
    .select(['owner_id', 'may_ask', 'locale'])
    .where('id', '=', provisionerId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!owner) throw new Refused(401, 'credential_unknown', 'This provisioner was revoked.');
  const { key } = await insertSource(trx, {
    id,
    name,
    ownerId: owner.owner_id,
    mayAsk: JSON.parse(owner.may_ask) as string[],
    locale: Locale.safeParse(owner.locale).data,
    madeBy: null,
    now,
  });
  const nobody = { source_id: id, provisioner_id: provisionerId };
  await trx.insertInto('aap_instances').values(nobody).execute();
  if (delivery) await setReceiver(trx, id, delivery);
  const instance = (await readInstance(trx, provisionerId, id)) as Instance;
  return { instance, credential: { token: key } };
}

async function update(
  trx: Transaction,
  { id, provisionerId, instance_name: name, delivery }: { id: string; provisionerId: string } & z.infer<typeof Update>,
): Promise<Instance> {
  // A deletion that came meanwhile wins.
  const live = await trx
    .updateTable('sources')
    .set({ id, ...(name === undefined ? {} : { name }) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!live) return unknownInstance();
  if (delivery !== undefined) {
    await setReceiver(trx, id, delivery);
    await moveEvents(trx, id, provisionerId, delivery);
  }
  return (await readInstance(trx, provisionerId, id)) ?? unknownInstance();
}

async function setReceiver(trx: Transaction, id: string, delivery: Delivery | null): Promise<void> {
  // As it came: it is told again.
  const url = delivery?.url ?? null;
  const secret = delivery ? { webhook_secret: delivery.signing_secret } : {};
  await trx
    .updateTable('sources')
    .set({ webhook_url: url, ...secret })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('aap_instances')
    .set({ url, registration_id: delivery?.registration_id ?? null })
    .where('source_id', '=', id)
    .execute();
}

/** What is still to be told goes to the new receiver, within the time it had; without one it ends. */
async function moveEvents(
  trx: Transaction,
  id: string,
  provisionerId: string,
  delivery: Delivery | null,
): Promise<void> {
  const found = await trx
    .selectFrom('deliveries')
    .select(['id', 'queue'])
    .where('source_id', '=', id)
    .where('protocol', '=', AAP)
    .where('state', '=', 'pending')
    .execute();
  if (found.length === 0) return;
  await lockQueues(trx, found);
  const url = delivery && new URL(delivery.url);
  // What is due at no time is put into its queue anew by the hub's next look.
  await updatePending(trx, found)
    .set({
      due_at: null,
      queued: 0,
      ...(url ? { url: url.href, queue: `${provisionerId} ${url.origin}` } : { state: 'gone', claimed_until: null }),
    })
    .execute();
}
