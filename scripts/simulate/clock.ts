import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { ROOT } from "../stack/config";
import { sleep } from "../stack/processes";

/** Processes under it look at the file again after 20 ms. */
const SEEN_MS = 50;
/** How often it is asked whether PostgreSQL is set up: some minutes. */
const MOST_TRIES = 6_000;
/** Web and worker get the time from here too, in front of PostgreSQL's own functions. */
const SHIFTED = `
create schema simulated;
create table simulated.clock (ahead interval not null);
insert into simulated.clock values ('0');
create function simulated.now() returns timestamptz language sql stable
  as 'select pg_catalog.now() + ahead from simulated.clock';
create function simulated.statement_timestamp() returns timestamptz language sql stable
  as 'select pg_catalog.statement_timestamp() + ahead from simulated.clock';
create function simulated.clock_timestamp() returns timestamptz language sql volatile
  as 'select pg_catalog.clock_timestamp() + ahead from simulated.clock';
create view simulated.pg_stat_activity as
  select datname, pid, usename, state, query, backend_xid, xact_start + ahead as xact_start
  from pg_catalog.pg_stat_activity, simulated.clock;
grant usage on schema simulated to public;
grant select on all tables in schema simulated to public;
alter role halcyon_app set search_path = simulated, pg_catalog, public;
-- The owner makes its tables in the first schema. Maintenance compares this machine's clock with the database's.
alter role current_user set search_path = public, simulated, pg_catalog;
`;

/**
 * The clock of everything that takes part: this process, the supervisor and all it starts, and PostgreSQL. Nothing of the
 * product knows of it: Node's is moved by a module preloaded from outside (NODE_OPTIONS), PostgreSQL's by functions that a
 * superuser puts in front of its own. The chain's time is that of the supervisor, which mines its blocks.
 */
export class SimulatedClock {
  private ahead: number;
  /** How much further ahead the clocks of single processes are, in milliseconds, by pid. */
  private readonly odd: Record<number, number> = {};

  private constructor(
    private readonly file: string,
    start: Date,
    private readonly trueNow: () => number,
  ) {
    this.ahead = start.getTime() - trueNow();
    this.write();
  }

  /** Moves this process's clock; the product's with the environment that `env` says. */
  static async startAt(start: Date, file: string): Promise<SimulatedClock> {
    const trueNow = Date.now;
    const clock = new SimulatedClock(file, start, trueNow);
    process.env.ODD_CLOCK_FILE = file;
    await import(path.join(ROOT, "e2e/odd-clock.mjs"));
    return clock;
  }

  get env(): Record<string, string> {
    return { ODD_CLOCK_FILE: this.file };
  }

  /** The machine's time, past all that was moved. */
  trueTime(): Date {
    return new Date(this.trueNow());
  }

  /**
   * Gives PostgreSQL the same time once the product's role is there, from its next connections on; those that are there
   * are ended.
   */
  async takeOver(url: string): Promise<void> {
    // While PostgreSQL is being set up it can't be reached.
    const isThere = () =>
      this.withSql(
        url,
        async (sql) => (await sql`select from pg_roles where rolname = 'halcyon_app'`).length > 0,
      ).catch(() => false);
    for (let tries = 0; !(await isThere()); tries++) {
      if (tries > MOST_TRIES) throw new Error("PostgreSQL was not set up");
      await sleep(SEEN_MS);
    }
    await this.withSql(url, async (sql) => {
      await sql.unsafe(SHIFTED);
      await this.syncDatabase(sql);
      await sql`select pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where usename = 'halcyon_app'`;
    });
  }

  /** Moves it forward, at once for everyone. */
  async moveTo(url: string, instant: number): Promise<void> {
    this.ahead = instant - this.trueNow();
    await this.withSql(url, (sql) => this.syncDatabase(sql));
    this.write();
    await sleep(SEEN_MS);
  }

  /** Moves the clock of one process ahead of all others, or back to theirs. */
  async moveOne(pid: number, ms: number): Promise<void> {
    if (ms === 0) delete this.odd[pid];
    else this.odd[pid] = ms;
    this.write();
    await sleep(SEEN_MS);
  }

  private write(): void {
    writeFileSync(`${this.file}.new`, JSON.stringify({ ahead: this.ahead, hold: false, odd: this.odd }));
    renameSync(`${this.file}.new`, this.file);
  }

  private async syncDatabase(sql: postgres.Sql): Promise<void> {
    await sql`update simulated.clock set ahead = make_interval(secs => ${this.ahead / 1000})`;
  }

  private async withSql<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await use(sql);
    } finally {
      await sql.end({ timeout: 5 });
    }
  }
}
