import { mkdtempSync, rmSync } from "node:fs";
import postgres from "postgres";
import { migrate } from "@/db/migrate";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { connectionsClosed } from "./connections";
import { freePort } from "./free-port";

/** Where a database is: for the role that owns it, and for the one of web and worker. */
export interface DatabaseUrls {
  MIGRATION_DATABASE_URL: string;
  DATABASE_URL: string;
}

export interface PostgresServer extends DatabaseUrls {
  stop(): Promise<void>;
}

const VARIABLE = "HALCYON_TEST_POSTGRES";
/** No test takes the power from its database, and many share the server. */
export const SETTINGS = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=600"];

/** Starts a PostgreSQL whose database is migrated and empty. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const data = mkdtempSync("/tmp/halcyon-postgres-");
  const passwords = { password: "test", appPassword: "app" };
  const server = new LocalPostgres({ data, port: await freePort(), ...passwords, settings: SETTINGS, say: () => {} });
  await server.start();
  await migrate(server.ownerUrl, server.appUrl);
  await connectionsClosed(server.ownerUrl);
  return {
    MIGRATION_DATABASE_URL: server.ownerUrl,
    DATABASE_URL: server.appUrl,
    async stop() {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Vitest's global set-up: one server for all files of a run. Each has a database of its own on it. */
export default async function onePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE]) return undefined; // another project's
  const { stop, ...urls } = await startPostgresServer();
  process.env[VARIABLE] = JSON.stringify(urls);
  return stop;
}

/** Where the run's server is; undefined outside of a run of tests. */
export function sharedPostgres(): DatabaseUrls | undefined {
  const text = process.env[VARIABLE];
  return text ? JSON.parse(text) : undefined;
}

/** Makes a migrated, empty database on a server; one of that name goes first. */
export async function createDatabase(server: DatabaseUrls, name: string): Promise<DatabaseUrls> {
  await asAdmin(server, async (admin) => {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin`create database ${admin(name)} template halcyon`;
  });
  const { MIGRATION_DATABASE_URL, DATABASE_URL } = server;
  return { MIGRATION_DATABASE_URL: at(MIGRATION_DATABASE_URL, name), DATABASE_URL: at(DATABASE_URL, name) };
}

/** Runs statements as the owner of all databases, connected to none of the tests'. */
export async function asAdmin<T>(
  { MIGRATION_DATABASE_URL: url }: Pick<DatabaseUrls, "MIGRATION_DATABASE_URL">,
  run: (admin: postgres.Sql) => PromiseLike<T>,
): Promise<T> {
  const admin = postgres(at(url, "postgres"), { max: 1, onnotice: () => {} });
  try {
    return await run(admin);
  } finally {
    await admin.end();
  }
}

export const databaseName = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

const at = (url: string, database: string) => url.replace(/[^/]+$/, database);
