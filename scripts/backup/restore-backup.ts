import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StackError } from "../stack/config";
import { LocalPostgres, type LocalPostgresOptions } from "../stack/postgres";
import { BASE, MANIFEST, type Manifest } from "./base-backup";
import { copyFile, filesBelow, ownFolder } from "./copy-files";

export interface RestoreOptions extends Omit<LocalPostgresOptions, "settings" | "walArchive"> {
  /** The backup. */
  from: string;
  /** Folder of the archived log; without it the state at the backup's end is restored. */
  wal?: string;
  /** Where the log is archived from now on; what comes begins a new line of history there, beside what it holds. */
  archive?: string;
  /** With `wal`: the moment to restore to; without it, everything that was archived. */
  until?: Date;
}

/**
 * Restores a backup in the place of the local stack's PostgreSQL, and recovers it. What was there is kept beside it.
 *
 * @returns where what was there before is now, if anything was
 * @throws StackError when the backup is incomplete or damaged, or does not reach the moment; nothing has changed then
 */
export async function restoreBackup({
  from,
  wal,
  archive,
  until,
  ...options
}: RestoreOptions): Promise<string | undefined> {
  const manifest = readManifest(from);
  if (until && !wal) throw new StackError("--until needs the archived log: --wal FOLDER.");
  if (until && until < new Date(manifest.endedAt)) {
    throw new StackError(`This backup ended at ${manifest.endedAt}; use an earlier one for ${until.toISOString()}.`);
  }
  const folder = path.join(options.data, "postgres");
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  copyBack(path.join(from, BASE), partial, manifest);
  writeFileSync(path.join(partial, "recovery.signal"), "", { mode: 0o600 });
  const before = existsSync(folder) ? `${folder}.replaced-${new Date().toISOString().replaceAll(":", "")}` : undefined;
  if (before) renameSync(folder, before);
  renameSync(partial, folder);
  const postgres = new LocalPostgres({ ...options, settings: recovery(wal, archive, until) });
  try {
    postgres.handOver();
    await postgres.start();
    await postgres.stop();
    return before;
  } catch (error) {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
    if (before) renameSync(before, folder);
    throw error;
  }
}

function readManifest(from: string): Manifest {
  const file = path.join(from, MANIFEST);
  if (!existsSync(file)) throw new StackError(`${from} is not a complete backup: it has no ${MANIFEST}.`);
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

/** Copies all of it, compares each file with its hash, and leaves out what is not of the backup. */
function copyBack(source: string, target: string, { files }: Manifest): void {
  ownFolder(target);
  filesBelow(
    source,
    () => false,
    (folder) => ownFolder(path.join(target, folder)),
  );
  for (const { path: file, sha256 } of files) {
    if (copyFile(path.join(source, file), path.join(target, file)) === sha256) continue;
    rmSync(target, { recursive: true, force: true });
    throw new StackError(`The backup is damaged: ${file} is missing or was changed. Use another one.`);
  }
  copyFile(path.join(source, "backup_label"), path.join(target, "backup_label"));
}

/** Always as recovery from an archive, so that it ends on a timeline of its own: archives never mix two histories. */
function recovery(wal?: string, archive?: string, until?: Date): string[] {
  const from = wal ?? archive;
  const copy = from ? `cp "${path.resolve(from)}/%f" "%p"` : "false";
  // Without the log, only the names of the timelines that there are.
  const command = wal || !from ? copy : `case "%f" in *.history) ${copy};; *) false;; esac`;
  return [
    `restore_command=${command}`,
    "recovery_target_action=promote",
    // Before time zones are loaded, PostgreSQL knows offsets alone.
    ...(until ? [`recovery_target_time=${until.toISOString().replace("Z", "+00")}`] : []),
  ];
}
