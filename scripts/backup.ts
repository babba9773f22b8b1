import path from "node:path";
import { baseBackup } from "./backup/base-backup";
import { readConfig, StackError } from "./stack/config";
import { readDatabaseUrl } from "./stack/database-urls";
import { ownerUrl } from "./stack/postgres";
import { printable } from "./stack/printable";
import { loadSecrets } from "./stack/secrets";

// `npm run backup -- FOLDER`: copies the running PostgreSQL of the local stack, or the one of BACKUP_DATABASE_URL on this
// machine, while it is in use (docs/guides/backups.md).
try {
  const [folder] = process.argv.slice(2);
  if (!folder || folder.startsWith("-")) throw new StackError("Name a new folder: npm run backup -- FOLDER");
  const url = readDatabaseUrl("BACKUP_DATABASE_URL") ?? readDatabaseUrl("MIGRATION_DATABASE_URL") ?? embedded();
  const { endedAt, archived, files } = await baseBackup(url, path.resolve(folder));
  console.log(`${files.length} files copied to ${folder}; it restores to ${endedAt}`);
  if (!archived)
    console.log("The log is not archived, so nothing after that can be restored: set HALCYON_WAL_ARCHIVE.");
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}

/** Where the database of the local stack is. */
function embedded(): string {
  const { data, postgres } = readConfig();
  return ownerUrl(loadSecrets(data).postgresPassword, postgres.port);
}
