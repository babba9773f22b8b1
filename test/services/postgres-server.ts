import { mkdtempSync } from "node:fs";
import postgres from "postgres";
import { migrate } from "@/db/migrate";
import { removeFolder } from "@/scripts/stack/files";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { connectionsClosed } from "./connections";
import { freePort } from "./free-port";

/** The address of a database, for the role that owns it and for the role of web and worker. */
export interface DatabaseUrls {
  MIGRATION_DATABASE_URL: string;
  DATABASE_URL: string;
}

export interface PostgresServer extends DatabaseUrls {
  stop(): Promise<void>;
}

const VARIABLE = "HALCYON_TEST_POSTGRES";
/**
 * Settings for speed, because no test simulates a power failure, and for many connections, because many files share the
 * server.
 */
export const SETTINGS = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=600"];

/** Starts a PostgreSQL with a migrated, empty database. */
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
      removeFolder(data);
    },
  };
}

/** Vitest's global set-up: one server for all files of a run. Each file has its own database on it. */
export default async function onePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE]) return undefined; // another project's
  const { stop, ...urls } = await startPostgresServer();
  process.env[VARIABLE] = JSON.stringify(urls);
  return stop;
}

/** Returns the run's server; undefined outside a test run. */
export function sharedPostgres(): DatabaseUrls | undefined {
  const text = process.env[VARIABLE];
  return text ? JSON.parse(text) : undefined;
}

/**
 * Creates a database on a server, replacing one with the same name.
 *
 * @param template what it is a copy of: by default a migrated, empty one
 */
export async function createDatabase(server: DatabaseUrls, name: string, template = "halcyon"): Promise<DatabaseUrls> {
  await asAdmin(server, async (admin) => {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin`create database ${admin(name)} template ${admin(template)}`;
  });
  const { MIGRATION_DATABASE_URL, DATABASE_URL } = server;
  return { MIGRATION_DATABASE_URL: at(MIGRATION_DATABASE_URL, name), DATABASE_URL: at(DATABASE_URL, name) };
}

/** Runs statements as the owner of all databases, without being connected to a test's. */
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
