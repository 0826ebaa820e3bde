import type { FastifyRequest } from 'fastify';
import { parseOrRefuse } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { Locale } from '#shared/wire.ts';
import { ask } from '../../inquiries/ask.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import type { Database } from '../../platform/database.ts';
import { bearer } from '../../platform/http/access.ts';
import type { Http } from '../../platform/http/server.ts';
import { seal } from '../../platform/secrets/secrets.ts';
import { lock } from '../../platform/stored.ts';
import { insertSource } from '../../sources/create.ts';
import { markUsed } from '../../sources/find.ts';
import { EVERYBODY } from '../../sources/store.ts';
import { Body, toAsk } from './request.ts';
import { callbackOf } from './tell.ts';
import { createTokenVerifier, refused, type Signed } from './token.ts';

const BODY_LIMIT = 16_384;
/** So many sign-ins of one person wait at once: who does not answer is not to be worn down. */
const MOST_OPEN = 3;

/**
 * `POST /keycloak/v1/authentication`: the HTTP authentication channel of Keycloak. 201 once a person is asked, or was before;
 * all else is a refusal, which its client hears at once. Nothing is here while no realm is named.
 */
export async function openKeycloak(app: Http, inquiries: Inquiries, issuers: readonly string[]): Promise<void> {
  if (issuers.length === 0) return;
  const { database } = inquiries;
  for (const issuer of issuers) await ensureSource(database, issuer);
  const tokens = createTokenVerifier(issuers, database.clock);
  app.addHook('onClose', tokens.close);
  const verified = new WeakMap<FastifyRequest, Signed>();
  const config = { access: 'public' } as const;
  // Before the body: who has no good token is not told how long one may be.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    verified.set(request, await tokens.verify(bearer(request.headers.authorization ?? '')));
    app.trust(request.raw.socket);
  };
  app.post('/keycloak/v1/authentication', { bodyLimit: BODY_LIMIT, config, onRequest }, async (request, reply) => {
    const token = bearer(request.headers.authorization ?? '');
    const signed = verified.get(request) as Signed;
    await app.asks.run(signed.issuer, () => askPerson(inquiries, signed, token, parseOrRefuse(Body, request.body)));
    return reply.code(201).send();
  });
}

async function askPerson(inquiries: Inquiries, signed: Signed, token: string, body: Body): Promise<void> {
  const { database, sealingKey } = inquiries;
  const source = await findSource(database, signed.issuer);
  if (!source) throw refused('The owner of the hub removed its source; a start of the hub makes it anew.');
  const now = database.clock.now();
  await markUsed(database, source, now);
  const person = await findPerson(database, signed, body.login_hint);
  if (!person) {
    const detail = `Nobody here is tied to ${body.login_hint}: "beckon person tie HANDLE ${signed.issuer} ${signed.subject}" does it.`;
    throw new AppError(404, 'person.unknown', detail);
  }
  await refuseTooMany(database, { personId: person.id, sourceId: source.id, key: signed.id });
  const language = Locale.safeParse(person.locale).data ?? 'en';
  const asked = toAsk(signed, body, { to: person.handle, language, now, sealed: seal(sealingKey, token) });
  await ask(inquiries, { sourceId: source.id, ask: asked, waitMs: 0 });
}

/** Whom the owner tied to this account, by its id or its user name: people choose their handles themselves. */
async function findPerson({ read }: Database, { issuer, subject }: Signed, user: string) {
  const tied = await read
    .selectFrom('people')
    .select(['id', 'handle', 'locale', 'jwt_subject'])
    .where('jwt_issuer', '=', issuer)
    .where('jwt_subject', 'in', [subject, user])
    .execute();
  return tied.find((one) => one.jwt_subject === subject) ?? tied[0];
}

async function refuseTooMany(
  { read }: Database,
  { personId, sourceId, key }: { personId: string; sourceId: string; key: string },
): Promise<void> {
  const open = await read
    .selectFrom('recipients')
    .innerJoin('inquiries', 'inquiries.id', 'recipients.inquiry_id')
    .select('inquiries.key')
    .where('recipients.person_id', '=', personId)
    .where('recipients.open', '=', 1)
    .where('inquiries.source_id', '=', sourceId)
    .limit(MOST_OPEN)
    .execute();
  if (open.length < MOST_OPEN || open.some((one) => one.key === key)) return;
  const detail = `${MOST_OPEN} sign-ins of this person wait for an answer already.`;
  throw new AppError(429, 'source.too_many_open', detail);
}

function findSource({ read }: Pick<Database, 'read'>, issuer: string) {
  return read
    .selectFrom('sources')
    .select(['id', 'used_at'])
    .where('issuer', '=', issuer)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
}

/** A source of the realm's own, whose key nobody has; where its answers go is the realm's to say, whoever changed it. */
export async function ensureSource(database: Database, issuer: string): Promise<void> {
  const { host, pathname } = new URL(issuer);
  await database.transaction(async (trx) => {
    await lock(trx, 'sources');
    const webhookUrl = callbackOf(issuer);
    const known = await findSource({ read: trx }, issuer);
    const owner = await trx.selectFrom('people').select('id').where('owner', '=', 1).executeTakeFirstOrThrow();
    const name = `Keycloak ${host}${pathname}`.slice(0, 80);
    const made = { name, webhookUrl, ownerId: owner.id, mayAsk: [EVERYBODY], madeBy: null, now: database.clock.now() };
    const { id } = known ?? (await insertSource(trx, made)).source;
    await trx.updateTable('sources').set({ issuer, webhook_url: webhookUrl }).where('id', '=', id).execute();
  });
}
