import postgres from "postgres";
import { sleep } from "../stack/processes";
import type { LockedTable } from "./operations";

const PAUSE_MS = 50;
const MOST_TRIES = 600;

/** Statements fail as they do on a full disk, while the row says so: all that add rows. */
const FULL_DISK = `
create table simulated.disk (full_now boolean not null);
insert into simulated.disk values (false);
grant select on simulated.disk to public;
create function simulated.add_rows() returns trigger language plpgsql as $$
begin
  if (select full_now from simulated.disk) then
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
  end if;
  return null;
end $$;
do $$
declare name text;
begin
  for name in select oid::regclass from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition loop
    execute format('create trigger disk_may_be_full before insert on %s for each statement
      execute function simulated.add_rows()', name);
  end loop;
end $$;
`;

/** What can be done to the product's database by its owner, a superuser that the product does not have. */
export class DatabaseFaults {
  /** @param url of the owner, past all proxies */
  constructor(
    private readonly url: string,
    private readonly appUrl: string,
  ) {}

  /** Prepares {@link fillDisk}. */
  async prepare(): Promise<void> {
    await using(this.url, (sql) => sql.unsafe(FULL_DISK));
  }

  /** Holds the locks of all rows of a table that are free, as a forgotten transaction does. */
  async holdLocks(table: LockedTable, seconds: number): Promise<void> {
    await reaching(this.url, async (sql) => {
      const other = open(this.url);
      const hold = (tx: postgres.TransactionSql) =>
        tx<{ ctid: string }[]>`select ctid::text from ${tx(table)} for update skip locked`;
      try {
        await sql.begin(async (tx) => {
          let held = await hold(tx);
          for (let tries = 0; held.length === 0; held = await hold(tx)) {
            if (tries++ === MOST_TRIES) throw new Error(`${table} has no row to lock`);
            await sleep(PAUSE_MS);
          }
          await sleep(seconds * 1_000);
          const [{ ctid = "" } = {}] = held;
          const code = await codeOf(other`select from ${other(table)} where ctid = ${ctid}::tid for update nowait`);
          if (code !== "55P03") throw new Error(`a row of ${table} was not locked (${code})`);
        });
      } finally {
        await other.end({ timeout: 0 });
      }
    });
  }

  /** Web and worker get no new connection, and lose those that they do not use at the moment. */
  async takeConnections(seconds: number): Promise<void> {
    await reaching(this.url, async (sql) => {
      await sql`alter role halcyon_app connection limit 0`;
      try {
        await sql`
          select pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
          where usename = 'halcyon_app' and state = 'idle'`;
        await sleep(seconds * 1_000);
        const code = await codeOf(using(this.appUrl, (app) => app`select 1`));
        if (code !== "53300") throw new Error(`there was a free connection (${code})`);
      } finally {
        await sql`alter role halcyon_app connection limit -1`;
      }
    });
  }

  /** No one can add a row. */
  async fillDisk(seconds: number): Promise<void> {
    await reaching(this.url, async (sql) => {
      await sql`update simulated.disk set full_now = true`;
      try {
        await sleep(seconds * 1_000);
        const code = await codeOf(
          using(this.appUrl, (app) => app`insert into rate_limits select * from rate_limits limit 0`),
        );
        if (code !== "53100") throw new Error(`the disk was not full (${code})`);
      } finally {
        await sql`update simulated.disk set full_now = false`;
      }
    });
  }
}

const open = (url: string) => postgres(url, { max: 1, onnotice: () => {}, fetch_types: false });

async function using<T>(url: string, use: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = open(url);
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The same once PostgreSQL is there: it may just be starting again. */
async function reaching<T>(url: string, use: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  for (let tries = 0; (await codeOf(using(url, (sql) => sql`select 1`))) !== undefined; tries++) {
    if (tries === MOST_TRIES) throw new Error("PostgreSQL is not there");
    await sleep(PAUSE_MS);
  }
  return using(url, use);
}

/** PostgreSQL's code of the error with which it ends; undefined when it succeeds. */
async function codeOf(query: PromiseLike<unknown>): Promise<string | undefined> {
  try {
    await query;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
