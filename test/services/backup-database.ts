import type postgres from "postgres";
import { closeDb } from "@/db/client";
import { connectionsClosed } from "./connections";
import { asAdmin, type DatabaseUrls, databaseName } from "./postgres-server";

const PATIENCE_MS = 120_000;
/** `object_in_use` (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const IN_USE = "55006";

/** Backs up this process's database as a copy on the same server. No worker may run here meanwhile. */
export async function backUpDatabase(urls: DatabaseUrls): Promise<void> {
  const { name, backup } = namesOf(urls);
  await onServer(urls, (admin) => admin`create database ${admin(backup)} template ${admin(name)}`);
}

/** Replaces the database with the backup. Everything since the backup is lost. */
export async function restoreDatabase(urls: DatabaseUrls): Promise<void> {
  const { name, backup } = namesOf(urls);
  await onServer(urls, async (admin) => {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin`alter database ${admin(backup)} rename to ${admin(name)}`;
  });
}

function namesOf(urls: DatabaseUrls) {
  const name = databaseName(urls.DATABASE_URL);
  return { name, backup: `${name}_backup` };
}

/**
 * Runs `work` on the database's server while no one is connected to the database. Late work of this process may connect
 * to it again; then this closes that connection too and begins again.
 */
async function onServer(urls: DatabaseUrls, work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    await connectionsClosed(urls.MIGRATION_DATABASE_URL, closeDb);
    try {
      await asAdmin(urls, work);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || Date.now() > end) throw error;
    }
  }
}
