import {
  type Dialect,
  type Driver,
  type Kysely,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from './connection.ts';

/** SQLite over one connection for plain reads; transactions are the shared flush's. */
export class ReadDialect implements Dialect {
  readonly #connection: SqliteConnection;
  readonly #adapter = new ConcurrentAdapter();
  readonly #compiler = new LocklessCompiler();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }
  createAdapter() {
    return this.#adapter;
  }
  createQueryCompiler() {
    return this.#compiler;
  }
  createIntrospector(kysely: Kysely<unknown>) {
    return new SqliteIntrospector(kysely);
  }
  createDriver(): Driver {
    const connection = this.#connection;
    return {
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: async () => {
        throw new Error('`read` has no transactions; use `transaction`');
      },
      commitTransaction: async () => {},
      rollbackTransaction: async () => {},
      releaseConnection: async () => {},
      destroy: async () => {},
    };
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
