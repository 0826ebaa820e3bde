/**
 * Loaded into a measured process with `--import`: counts what it does to its database and tells its memory. Asked over
 * the channel to its parent with "count", "counts" or "memory"; it counts between the first two only, at 0.03 ms a cycle.
 */
import { Socket } from 'node:net';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

export type Counts = { statements: number; roundTrips: number; flushes: number };

let counts: Counts;
const restore: (() => void)[] = [];
const postgresPort = Number(process.env['BENCH_POSTGRES_PORT']);

process.on('message', (question) => {
  if (question === 'count') process.send?.((count(), {}));
  if (question === 'counts') process.send?.((restore.splice(0).forEach((one) => one()), counts));
  // Twice: what the first collection finalizes only the second one frees.
  if (question === 'memory') process.send?.((gc?.(), gc?.(), process.memoryUsage()));
});
process.channel?.unref();
// A bench that was ended leaves no server behind.
process.on('disconnect', () => process.exit());

type Method = (this: unknown, ...given: unknown[]) => unknown;
function before(prototype: object, name: string, count: (self: unknown, given: unknown[]) => void): void {
  const methods = prototype as Record<string, Method>;
  const own = methods[name]!;
  methods[name] = function (...given) {
    count(this, given);
    return own.apply(this, given);
  };
  restore.push(() => (methods[name] = own));
}

/** Of Postgres a flush is a commit written out, of which Postgres joins several of one moment by itself. */
function note(sql: string): void {
  counts.statements++;
  if (/^\s*commit/i.test(sql)) counts.flushes++;
}

// Several statements may share a message; one that ends without a commit commits what it wrote by itself.
// Each connection has names of its own for them, told once: they are noted before anything is counted.
const texts = new WeakMap<object, Map<string, string>>();
const bound: string[] = [];
before(pg.Connection.prototype, 'parse', (connection, [given]) => {
  const { name = '', text } = given as { name?: string; text: string };
  const own = texts.get(connection as object) ?? new Map<string, string>();
  texts.set(connection as object, own.set(name, text));
});
restore.length = 0;

/** A round trip begins with the first bytes to Postgres after its last reply on that connection. */
const waiting = new WeakSet();

function count(): void {
  counts = { statements: 0, roundTrips: 0, flushes: 0 };
  before(DatabaseSync.prototype, 'exec', (_database, [sql]) => note(String(sql)));
  for (const name of ['run', 'get', 'all'])
    before(StatementSync.prototype, name, (statement) => note((statement as StatementSync).sourceSQL));
  before(pg.Connection.prototype, 'query', (_connection, [sql]) => note(String(sql)));
  before(pg.Connection.prototype, 'bind', (connection, [given]) => {
    const { statement = '' } = given as { statement?: string };
    bound.push(texts.get(connection as object)?.get(statement) ?? '');
  });
  before(pg.Connection.prototype, 'sync', () => {
    const message = bound.splice(0);
    message.forEach(note);
    if (
      message.length > 1 &&
      !message.some((sql) => /^(begin|commit|rollback)/.test(sql)) &&
      message.some((sql) => !sql.startsWith('select'))
    )
      counts.flushes++;
  });
  before(Socket.prototype, 'write', (self) => {
    const socket = self as Socket;
    if (socket.remotePort !== postgresPort || waiting.has(socket)) return;
    waiting.add(socket);
    counts.roundTrips++;
    socket.once('data', () => waiting.delete(socket));
  });
}
