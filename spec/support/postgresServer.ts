import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Pool } from 'pg';

export interface PostgresServer {
  /** Options of `pg.Pool`: a socket in a folder of its own, and so no port. */
  readonly connection: { readonly host: string; readonly user: string; readonly database: string };
  /** Ends it at once, as a crash does, and starts it again over the same data; its files then have no more than `mostBytes` each. */
  crash(mostBytes?: number): Promise<void>;
  stop(): Promise<void>;
}

interface Servers {
  /** The folder of the binaries for this machine; undefined if npm has installed none. */
  postgresBinaries(): string | undefined;
  /** Starts a server with an empty database, and waits until it answers. */
  startPostgres(binaries: string): Promise<PostgresServer>;
}

// The same as scripts have.
const { postgresBinaries, startPostgres } = createRequire(__filename)(join(__dirname, 'postgres.cjs')) as Servers;

/** A server and a pool of connections to it, while the tests run. */
export class RunningPostgres {
  server!: PostgresServer;
  pool!: Pool;

  async start(binaries: string): Promise<void> {
    this.server = await startPostgres(binaries);
    this.pool = new Pool(this.server.connection);
    // A server that crashes on purpose ends idle connections.
    this.pool.on('error', () => undefined);
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.server.stop();
  }
}

/** Describes what takes a PostgreSQL of its own; where npm has none for the machine, that is counted as absent. */
export function describeOnPostgres(what: string, tests: (postgres: RunningPostgres) => void): void {
  const binaries = postgresBinaries();
  if (binaries === undefined) {
    test(`absent: ${what} (npm has no PostgreSQL for this machine)`, () => {
      expect(binaries).toBeUndefined();
    });
    return;
  }
  describe(what, () => {
    const postgres = new RunningPostgres();
    beforeAll(() => postgres.start(binaries), 60_000);
    afterAll(() => postgres.stop());
    tests(postgres);
  });
}
