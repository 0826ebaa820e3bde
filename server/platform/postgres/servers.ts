import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { splitServers } from '../database-hosts.ts';

export const CONNECT_MS = 5_000;
/** So long the others are waited for once one server takes writes: an old primary may answer before the new one. */
const OTHERS_MS = 1_000;
const LOOK_EVERY_MS = 5_000;

type Place = { host: string; port: number };
type Primary = Place & { timeline: number };

/** Connection settings that notice a dead server: time-outs on connecting and TCP keep-alive. */
export function toClientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: splitServers(url)[0]!,
    application_name: 'beckon',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/**
 * The servers of one DATABASE_URL. Of several, every connection is to the one that takes writes; and never again to a
 * primary from before a failover that was noticed, which its supervisor may have started once more.
 */
export class Servers {
  readonly config: pg.ClientConfig;
  /** A client that is connected to the primary, whichever that is by then. */
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  readonly several: boolean;
  readonly #urls: string[];
  #newest = 0;
  #looking: Promise<Primary> | undefined;

  constructor(url: string) {
    this.#urls = splitServers(url);
    this.several = this.#urls.length > 1;
    this.config = toClientConfig(url);
    this.Client = this.several ? clientOf(() => this.#primary()) : clientOf();
  }

  /** Calls back with where the primary is, again and again: one that fell silent closes no connection. */
  watch(onSeen: (primary: Place) => void): { stop(): void } {
    const look = () => void this.#primary().then(onSeen, () => {});
    const timer = this.several ? setInterval(look, LOOK_EVERY_MS).unref() : undefined;
    return { stop: () => clearInterval(timer) };
  }

  #primary(): Promise<Primary> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  async #look(): Promise<Primary> {
    const found: Primary[] = [];
    const reasons: string[] = [];
    const looks = this.#urls.map(async (url) =>
      look(url).then(
        (primary) => found.push(primary),
        (error: Error) => {
          reasons.push(`${new URL(url).host}: ${error.message}`);
          throw error;
        },
      ),
    );
    const first = Promise.any(looks).then(
      () => pause(OTHERS_MS, undefined, { ref: false }),
      () => {},
    );
    await Promise.race([Promise.allSettled(looks), first, pause(CONNECT_MS, undefined, { ref: false })]);
    if (found.length === 0) throw new Error(`no server takes writes: ${reasons.join('; ')}`);
    const newest = newestOf(found, this.#newest);
    this.#newest = newest.timeline;
    return newest;
  }
}

/** The primary that was promoted last, which is never one from before what was known. */
export function newestOf(found: Primary[], known: number): Primary {
  const [newest] = found.toSorted((a, b) => b.timeline - a.timeline) as [Primary];
  if (newest.timeline < known)
    throw new Error(`the server at ${newest.host}:${newest.port} is a primary from before the last failover`);
  return newest;
}

const TIMELINE = `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

async function look(url: string): Promise<Primary> {
  const client = new pg.Client({ ...toClientConfig(url), query_timeout: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is: string }>("select current_setting('transaction_read_only') as is");
    if (rows[0]?.is === 'on') throw new Error('it takes no writes');
    // Each promotion begins a new timeline. A service that hides it is believed.
    const { rows: lines } = await client.query<{ timeline: number }>(TIMELINE).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError) return { rows: [] };
      throw error;
    });
    return { host: client.host, port: client.port, timeline: lines[0]?.timeline ?? 0 };
  } finally {
    void client.end().catch(() => {});
  }
}

function clientOf(find?: () => Promise<Place>): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    // The pool has one time-out for connecting and for waiting, and hands it to its clients.
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: CONNECT_MS });
    }

    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): Promise<pg.Client> | void {
      if (!done)
        return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
      const connect = (place?: Place): void => {
        Object.assign(this, place && { host: place.host, port: place.port });
        super.connect(done);
      };
      if (find) find().then(connect, done);
      else connect();
    }
  };
}
