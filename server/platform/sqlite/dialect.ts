import {
  type Dialect,
  DummyDriver,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from './connection.ts';

/** SQLite over one connection for plain reads; transactions are the shared flush's. */
export function readDialect(connection: SqliteConnection): Dialect {
  const adapter = new ConcurrentAdapter();
  const compiler = new LocklessCompiler();
  return {
    createAdapter: () => adapter,
    createQueryCompiler: () => compiler,
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createDriver: () => new ReadDriver(connection),
  };
}

class ReadDriver extends DummyDriver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    super();
    this.#connection = connection;
  }
  override async acquireConnection() {
    return this.#connection;
  }
  override async beginTransaction(): Promise<never> {
    throw new Error('`read` has no transactions; use `transaction`');
  }
}

/** Every statement is one synchronous call, so Kysely's own queue for single connections would only cost time. */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

/** SQLite has no row locks and a transaction runs alone here: `for update` and `skip locked` mean nothing and are left out. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.rawModifier || node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}
