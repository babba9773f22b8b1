import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type postgres from "postgres";
import { connect } from "@/db/connect";
import { StackError } from "../stack/config";
import { writeFileDurably } from "../stack/files";
import { type CopiedFile, copyFile, filesBelow, ownFolder } from "./copy-files";

/**
 * The contents of a backup's `backup.json`. The file is written last, so a folder without it is not a complete backup.
 */
export interface Manifest {
  format: 1;
  /** When the copy started and ended, ISO 8601. It can be restored to any moment from its end on. */
  startedAt: string;
  endedAt: string;
  /** The server's version, as `server_version_num`. */
  postgres: number;
  /** Whether the server archives its write-ahead log. */
  archived: boolean;
  files: CopiedFile[];
}

export const MANIFEST = "backup.json";
/** Name of the folder with PostgreSQL's files in a backup. */
export const BASE = "base";

/** Folders whose content PostgreSQL recreates, and the write-ahead log, which is copied separately. */
const EMPTIED = [
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal",
];
const SKIPPED =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|(recovery|standby)\.signal)$|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)$/;

const isSkipped = (file: string) => SKIPPED.test(file) || EMPTIED.includes(path.posix.dirname(file));

/**
 * Copies a running PostgreSQL's files, with the part of its write-ahead log that makes them consistent. The copy alone
 * restores to the moment it ended; with the archived log, to any later moment. Clients are not affected.
 *
 * @param url the database, as a role with the rights to back up, which its owner does not have by itself
 * @param folder the target, which must not exist
 * @throws StackError when PostgreSQL's files are not on this machine, the role lacks a right, or the folder exists
 */
export async function baseBackup(url: string, folder: string): Promise<Manifest> {
  if (existsSync(folder)) throw new StackError(`${folder} exists already: name a folder that does not.`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  // A backup belongs to its database session, and so does the slot that keeps the log until it is copied.
  const sql = connect(url, { max: 1, idle_timeout: 0, max_lifetime: null });
  try {
    const source = await dataFolder(sql);
    ownFolder(partial);
    ownFolder(path.join(partial, BASE));
    const startedAt = new Date().toISOString();
    await sql`select pg_create_physical_replication_slot('halcyon_backup_' || pg_backend_pid(), true, true)`;
    const [start] = await sql<{ segment: string }[]>`
      select pg_walfile_name(pg_backup_start(${`halcyon ${startedAt}`}, true)) as segment`;
    const files = copyData(source, path.join(partial, BASE));
    const [stop] = await sql<{ segment: string; label: string; archived: boolean; version: string }[]>`
      select pg_walfile_name(lsn) as segment, labelfile as label, current_setting('archive_mode') <> 'off' as archived,
        current_setting('server_version_num') as version
      from pg_backup_stop(true)`;
    if (!start || !stop) throw new Error("PostgreSQL did not say where the backup begins and ends.");
    files.push(...copyLog(source, path.join(partial, BASE), start.segment, stop.segment));
    writeFileSync(path.join(partial, BASE, "backup_label"), stop.label, { mode: 0o600 });
    const copied = { format: 1, startedAt, endedAt: new Date().toISOString() } as const;
    const manifest: Manifest = { ...copied, postgres: Number(stop.version), archived: stop.archived, files };
    writeFileDurably(path.join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, 0o600);
    renameSync(partial, folder);
    return manifest;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // insufficient_privilege
    if ((error as { code?: unknown }).code === "42501") throw new StackError(LACKS_RIGHTS);
    throw error;
  } finally {
    await sql.end();
  }
}

const LACKS_RIGHTS =
  'The role of the address lacks rights to back up: create the one in docs/guides/backups.md ("Back up"), and set BACKUP_DATABASE_URL.';

async function dataFolder(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ folder: string | null }[]>`
    select case when pg_has_role(current_user, 'pg_read_all_settings', 'member')
      then current_setting('data_directory') end as folder`;
  const folder = row?.folder;
  if (!folder) throw new StackError(LACKS_RIGHTS);
  if (!existsSync(path.join(folder, "PG_VERSION"))) {
    throw new StackError(
      `PostgreSQL's files in ${folder} are not on this machine, or this user can't read them. On its machine, run this as their owner; back up a managed one with its own snapshots.`,
    );
  }
  if (readdirSync(path.join(folder, "pg_tblspc")).length > 0) {
    throw new StackError("The database uses tablespaces, which this command does not copy: use pg_basebackup.");
  }
  return folder;
}

function copyData(source: string, target: string): CopiedFile[] {
  const files = filesBelow(source, isSkipped, (folder) => ownFolder(path.join(target, folder)));
  return files.flatMap((file) => {
    const sha256 = copyFile(path.join(source, file), path.join(target, file));
    return sha256 === undefined ? [] : [{ path: file, sha256 }];
  });
}

/**
 * Copies the log segments from `first` to `last`, both included. The last one is complete, because the end of the
 * backup closes it.
 */
function copyLog(source: string, target: string, first: string, last: string): CopiedFile[] {
  const segments = readdirSync(path.join(source, "pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const needed = segments.filter((name) => name >= first && name <= last).sort();
  if (needed[0] !== first || needed.at(-1) !== last) throw new Error("PostgreSQL's log lacks a part of this backup.");
  return needed.map((name) => {
    const file = path.posix.join("pg_wal", name);
    const sha256 = copyFile(path.join(source, file), path.join(target, file));
    if (sha256 === undefined) throw new Error("PostgreSQL's log lacks a part of this backup.");
    return { path: file, sha256 };
  });
}
