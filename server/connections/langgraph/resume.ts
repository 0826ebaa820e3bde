import { parseExact } from '#shared/json.ts';
import type { WebhookRow } from '../../deliveries/settle.ts';
import type { Database } from '../../platform/database.ts';
import type { Sent } from '../../platform/outbound/post.ts';
import type { Config } from '../config.ts';
import { readHeadKey, readHead, readThreadId } from './head.ts';
import { hasRun } from './runs.ts';
import { ServerError, type Server, type Servers } from './server.ts';

/** Less than the lease of what is sent. */
const WITHIN_MS = 12_000;

type AnswerRow = Pick<WebhookRow, 'id' | 'source_id' | 'inquiry_id' | 'body'>;

/**
 * Resumes the thread that asked while it waits for exactly this, once; 409 says that it was resumed elsewhere. An
 * attempt whose reply was lost is known again by the mark on its run.
 */
export async function resume(
  { database, servers }: { database: Database; servers: Servers },
  row: AnswerRow,
): Promise<Sent> {
  const asked = await database.read
    .selectFrom('inquiries')
    .innerJoin('connections', 'connections.source_id', 'inquiries.source_id')
    .select(['key', 'config', 'connections.sealed'])
    .where('inquiries.id', '=', row.inquiry_id)
    .executeTakeFirstOrThrow();
  const { baseUrl } = JSON.parse(asked.config) as Config;
  const server = servers.of({ baseUrl, sealed: asked.sealed }, AbortSignal.timeout(WITHIN_MS));
  try {
    return await resumeAt(server, readHeadKey(asked.key), row);
  } catch (error) {
    if (error instanceof ServerError) return error.sent;
    throw error;
  }
}

async function resumeAt(server: Server, key: string, { id, body }: AnswerRow): Promise<Sent> {
  const threadId = readThreadId(key);
  const head = await readHead(server, threadId);
  // Perhaps the address is wrong for a while: it is tried again like everything else.
  if (head === 'gone') return { status: 404 };
  if (head === 'moved') return { error: 'thread changed while it was read' };
  if (head?.key !== key) return { status: (await hasRun(server, threadId, id)) ? 200 : 409 };
  const run = {
    ...head.taken,
    ...(parseExact(body) as { command: object }),
    assistant_id: head.assistant,
    metadata: { beckon: id },
    // What somebody else resumed meanwhile and still runs refuses this.
    multitask_strategy: 'reject',
  };
  const made = await server.call('POST', `/threads/${threadId}/runs`, run).catch((error: unknown) => {
    // A conflict is a run under way, and not yet the end of this.
    if (error instanceof ServerError && error.sent.status !== undefined)
      throw new ServerError({ error: `run refused with ${error.sent.status}`, ...error.sent });
    throw error;
  });
  return made === undefined ? { error: 'run refused with 404' } : { status: 200 };
}
