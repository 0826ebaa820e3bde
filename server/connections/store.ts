import type { Kysely, Selectable } from 'kysely';
import type { ChangeConnection, Connection, ConnectionKind, NewConnection } from '#shared/connections/connection.ts';
import { AppError } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { hashToken, newToken } from '../platform/secrets/secrets.ts';
import { findIds, insertSource } from '../sources/create.ts';
import { markUsed } from '../sources/find.ts';
import { endFailures } from '../sources/pause.ts';
import { peopleAndGroups, viewSources } from '../sources/store.ts';
import type { Checked } from './check.ts';
import { lastContacts } from './contacts.ts';
import { ANSWER, configAfter, credentialsAfter, refuseFaulty, sealed, unsealed, type Config } from './config.ts';

export type ConnectionParts = { database: Database; sealingKey: Buffer };

type ConnectionRow = Selectable<Schema['sources']> &
  Pick<Schema['connections'], 'kind' | 'config' | 'answer' | 'sealed'> & {
    changed_at: number;
  };

/** Makes a connection, a source whose key nobody has; its token is in this reply and nowhere else. */
export async function createConnection(
  { database, sealingKey }: ConnectionParts,
  { ownerId, madeBy }: { ownerId: string; madeBy: string },
  asked: NewConnection,
): Promise<{ connection: Connection; token: string; webhookSecret: string }> {
  const { kind, name, baseUrl, answerUrl, answer, locale, texts } = asked;
  refuseFaulty(kind, asked);
  const config = configAfter(undefined, asked, trimmed(baseUrl));
  const credentials = credentialsAfter(undefined, asked, asked);
  const token = newToken('bki_');
  return database.transaction(async (trx) => {
    const mayAsk = asked.to === undefined ? [ownerId] : await findIds(trx, asked.to, '/to');
    const now = database.clock.now();
    const made = {
      name,
      webhookUrl: chooseHook(kind, baseUrl, answerUrl),
      locale,
      texts,
      ownerId,
      mayAsk,
      madeBy,
      now,
    };
    const { source, webhookSecret } = await insertSource(trx, made);
    const row = {
      source_id: source.id,
      kind,
      config: JSON.stringify(config),
      answer: writeAnswer(kind, answer),
      sealed: sealed(sealingKey, credentials),
      token_hash: hashToken(token),
      changed_at: now,
    };
    await trx.insertInto('connections').values(row).execute();
    return { connection: await readConnection(trx, sealingKey, source.id), token, webhookSecret };
  });
}

/** Changes what is sent. Throws 404 for one that is not there, 422 where stored credentials would go to another host. */
export async function changeConnection(
  { database, sealingKey }: ConnectionParts,
  id: string,
  change: ChangeConnection,
): Promise<Connection> {
  return database.transaction(async (trx) => {
    const row = await readRow(trx, id);
    const kind = row.kind as ConnectionKind;
    const before = JSON.parse(row.config) as Config;
    const baseUrl = change.baseUrl === undefined ? before.baseUrl : trimmed(change.baseUrl ?? undefined);
    const answerBefore = kind === 'langgraph' ? null : row.webhook_url;
    const answerUrl = (change.answerUrl === undefined ? answerBefore : change.answerUrl) ?? undefined;
    refuseFaulty(kind, { ...change, baseUrl, answerUrl });
    if (answerBefore !== null && answerUrl === undefined) await refuseWhileOpen(trx, id);
    const credentials = credentialsAfter(unsealed(sealingKey, row.sealed), change, { baseUrl, answerUrl });
    const config = configAfter(before, change, baseUrl);
    await trx
      .updateTable('sources')
      .set({
        webhook_url: chooseHook(kind, baseUrl, answerUrl) ?? null,
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.to === undefined ? {} : { may_ask: JSON.stringify(await findIds(trx, change.to, '/to')) }),
        ...(change.locale === undefined ? {} : { locale: change.locale }),
        ...(change.texts === undefined ? {} : { texts: change.texts && JSON.stringify(change.texts) }),
      })
      .where('id', '=', id)
      .execute();
    await trx
      .updateTable('connections')
      .set({
        config: JSON.stringify(config),
        sealed: sealed(sealingKey, credentials),
        changed_at: database.clock.now(),
        ...(change.answer === undefined ? {} : { answer: writeAnswer(kind, change.answer) }),
      })
      .where('source_id', '=', id)
      .execute();
    return readConnection(trx, sealingKey, id);
  });
}

// People would be told that their answer counts, and nothing would take it.
async function refuseWhileOpen(trx: Transaction, id: string): Promise<void> {
  const open = trx.selectFrom('inquiries').select('id').where('source_id', '=', id).where('resolution', 'is', null);
  if ((await open.limit(1).execute()).length === 0) return;
  const detail = 'Questions of this connection are open: take its answer URL away once they have ended.';
  throw new AppError(409, 'connection.has_open_questions', detail);
}

/** Gives a connection another token; the one before is unknown from now on. */
export async function renewToken(
  { database, sealingKey }: ConnectionParts,
  id: string,
): Promise<{ connection: Connection; token: string }> {
  const token = newToken('bki_');
  return database.transaction(async (trx) => {
    await readRow(trx, id);
    const renewed = { token_hash: hashToken(token), changed_at: database.clock.now() };
    await trx.updateTable('connections').set(renewed).where('source_id', '=', id).execute();
    return { connection: await readConnection(trx, sealingKey, id), token };
  });
}

/** Revokes a connection; the caller withdraws what it has open. Throws 404 for one that is not there. */
export async function removeConnection({ database }: Pick<ConnectionParts, 'database'>, id: string): Promise<void> {
  await database.transaction(async (trx) => {
    await readRow(trx, id);
    const revoked = { revoked_at: database.clock.now() };
    await endFailures(trx, id, revoked.revoked_at);
    await trx.updateTable('sources').set(revoked).where('id', '=', id).execute();
    await trx.deleteFrom('connections').where('source_id', '=', id).execute();
  });
}

/** What a live check of a stored connection needs. Throws 404 for one that is not there. */
export async function toCheck({ database, sealingKey }: ConnectionParts, id: string): Promise<Checked> {
  const { kind, config, sealed } = await readRow(database.read, id);
  const { baseUrl } = JSON.parse(config) as Config;
  return { kind: kind as ConnectionKind, baseUrl, credentials: unsealed(sealingKey, sealed) };
}

/** The same of one that is not stored. Throws 422 where it could not be. */
export function toCheckBefore(asked: NewConnection): Checked {
  refuseFaulty(asked.kind, asked);
  return { kind: asked.kind, baseUrl: trimmed(asked.baseUrl), credentials: credentialsAfter(undefined, asked, asked) };
}

/** Every connection, oldest first. */
export async function listConnections({ database: { read }, sealingKey }: ConnectionParts): Promise<Connection[]> {
  return viewConnections(read, sealingKey, await select(read).orderBy('sources.id').execute());
}

/** What the calls of a connection's own address, and those that the hub makes for it, need to know of it. */
export type Called = Config & {
  sourceId: string;
  name: string;
  kind: ConnectionKind;
  answers: boolean;
  to: string[];
  sealed: string | null;
  createdAt: number;
};

/** The connection that this token belongs to, read at each call; undefined where it is unknown, revoked or turned off. */
export async function findConnection(database: Database, token: string): Promise<Called | undefined> {
  const row = await select(database.read).where('connections.token_hash', '=', hashToken(token)).executeTakeFirst();
  const called = row && (await readCalled(database.read, row));
  if (called) await markUsed(database, row, database.clock.now());
  return called;
}

/** A connection as it is now; undefined where it was revoked or turned off. */
export async function calledNow({ read }: Database, sourceId: string): Promise<Called | undefined> {
  const row = await select(read).where('sources.id', '=', sourceId).executeTakeFirst();
  return row && readCalled(read, row);
}

async function readCalled(read: Kysely<Schema>, row: ConnectionRow): Promise<Called | undefined> {
  const config = JSON.parse(row.config) as Config;
  if (!config.enabled) return undefined;
  const to = (await peopleAndGroups(read, 'id', JSON.parse(row.may_ask) as string[])).map(({ handle }) => handle);
  const { id: sourceId, name, sealed, created_at: createdAt } = row;
  const kind = row.kind as ConnectionKind;
  return { ...config, sourceId, name, kind, answers: row.webhook_url !== null, to, sealed, createdAt };
}

/** Those of these tokens that a call may still use. */
export async function goodTokens(read: Kysely<Schema>, tokens: string[]): Promise<Set<string>> {
  const byHash = new Map(tokens.map((token) => [hashToken(token), token]));
  const rows = await select(read)
    .where('connections.token_hash', 'in', [...byHash.keys()])
    .select('connections.token_hash')
    .execute();
  const good = rows.filter(({ config }) => (JSON.parse(config) as Config).enabled);
  return new Set(good.map((row) => byHash.get(row.token_hash) ?? ''));
}

function select(db: Kysely<Schema>) {
  return db
    .selectFrom('sources')
    .innerJoin('connections', 'connections.source_id', 'sources.id')
    .selectAll('sources')
    .select(['connections.kind', 'connections.config', 'connections.answer', 'connections.sealed'])
    .select('connections.changed_at')
    .where('sources.revoked_at', 'is', null);
}

/** Throws 404 for one that is not there. */
export async function readRow(trx: Kysely<Schema>, id: string): Promise<ConnectionRow> {
  const row = await select(trx).where('sources.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError(404, 'connection.unknown', 'There is no such connection here.');
  return row;
}

async function readConnection(trx: Transaction, sealingKey: Buffer, id: string): Promise<Connection> {
  const [view] = await viewConnections(trx, sealingKey, [await readRow(trx, id)]);
  return view as Connection;
}

async function viewConnections(db: Kysely<Schema>, sealingKey: Buffer, rows: ConnectionRow[]): Promise<Connection[]> {
  const sources = await viewSources(db, rows);
  const last = await lastContacts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row, at) => {
    const { webhookUrl, mayAsk, owner: _owner, ...source } = sources[at] as Source;
    const { apiKey, headers, inboundSecret } = unsealed(sealingKey, row.sealed);
    return {
      ...source,
      ...(JSON.parse(row.config) as Config),
      kind: row.kind as ConnectionKind,
      to: mayAsk,
      ...(webhookUrl === undefined || row.kind === 'langgraph' ? {} : { answerUrl: webhookUrl }),
      ...(row.answer === null ? {} : { answer: JSON.parse(row.answer) as Record<string, unknown> }),
      hasApiKey: apiKey !== undefined,
      headerNames: Object.keys(headers),
      hasInboundSecret: inboundSecret !== undefined,
      changedAt: iso(row.changed_at),
      ...last(row.id),
    };
  });
}

/** The body of answers, as it is written or the article's; null: what every webhook says. */
function writeAnswer(kind: ConnectionKind, answer: object | null | undefined): string | null {
  const body = answer ?? (kind === 'chatcompletions' ? ANSWER : null);
  return body && JSON.stringify(body);
}

/** Where answers go: a thread is resumed at the server that asked. */
function chooseHook(
  kind: ConnectionKind,
  baseUrl: string | undefined,
  answerUrl: string | undefined,
): string | undefined {
  return kind === 'langgraph' ? trimmed(baseUrl) : answerUrl;
}

function trimmed(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '');
}
