import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StackError } from "../stack/config";
import { LocalPostgres, type LocalPostgresOptions } from "../stack/postgres";
import { BASE, MANIFEST, type Manifest } from "./base-backup";
import { copyFile, filesBelow, ownFolder } from "./copy-files";

export interface RestoreOptions extends Omit<LocalPostgresOptions, "settings" | "walArchive"> {
  /** Folder of the backup. */
  from: string;
  /** Folder of the archived log. Without it, the state at the backup's end is restored. */
  wal?: string;
  /** Where the log is archived from now on. It starts a new timeline there, next to the existing files. */
  archive?: string;
  /** With `wal`: the moment to restore. Without it, everything that was archived is restored. */
  until?: Date;
}

/**
 * Replaces the local stack's PostgreSQL with a backup and recovers it. The previous data is kept in a folder next to
 * it.
 *
 * @returns the folder with the previous data, if there was any
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

/**
 * Returns what a backup holds.
 *
 * @throws StackError when it is none, or incomplete
 */
export function readManifest(from: string): Manifest {
  const file = path.join(from, MANIFEST);
  if (!existsSync(file)) throw new StackError(`${from} is not a complete backup: it has no ${MANIFEST}.`);
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

/** Copies all files of the backup, verifies their hashes, and leaves out files that don't belong to it. */
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

/**
 * Returns the recovery settings. Always recovers from an archive, so that recovery ends on a new timeline and an
 * archive never mixes two histories.
 */
function recovery(wal?: string, archive?: string, until?: Date): string[] {
  const from = wal ?? archive;
  const copy = from ? `cp "${path.resolve(from)}/%f" "%p"` : "false";
  // Without the log, recovery only needs to know which timelines exist.
  const command = wal || !from ? copy : `case "%f" in *.history) ${copy};; *) false;; esac`;
  return [
    `restore_command=${command}`,
    "recovery_target_action=promote",
    // At this point PostgreSQL has not loaded time zones and only knows offsets.
    ...(until ? [`recovery_target_time=${until.toISOString().replace("Z", "+00")}`] : []),
  ];
}
