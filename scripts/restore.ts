import { mkdirSync } from "node:fs";
import path from "node:path";
import { readManifest, restoreBackup } from "./backup/restore-backup";
import { readConfig, StackError } from "./stack/config";
import { requireFreePorts } from "./stack/ports";
import { endStalePostgres } from "./stack/postgres";
import { printable } from "./stack/printable";
import { isOurs, recordedPid } from "./stack/processes";
import { loadSecrets } from "./stack/secrets";

// `npm run restore -- FOLDER [--wal FOLDER [--until TIME]]`: replaces the local stack's PostgreSQL, which must be
// stopped, with a backup. Afterwards, follow docs/guides/backups.md "Restore".
try {
  const args = process.argv.slice(2);
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const [from] = args;
  if (!from || from.startsWith("-")) throw new StackError("Name the backup: npm run restore -- FOLDER");
  const time = option("--until");
  const until = time === undefined ? undefined : new Date(time);
  if (until && Number.isNaN(until.getTime()))
    throw new StackError("--until wants a time such as 2026-11-25T08:00:00Z.");
  // Before anything is made for it.
  readManifest(path.resolve(from));
  const { data, postgres, walArchive: archive } = readConfig();
  const supervisor = recordedPid(data, "supervisor");
  if (supervisor && isOurs(supervisor, "scripts/")) throw new StackError("Halcyon runs here. Stop it first.");
  await endStalePostgres(data);
  await requireFreePorts([postgres]);
  // A new machine has none.
  mkdirSync(data, { recursive: true });
  const { postgresPassword: password, postgresAppPassword: appPassword } = loadSecrets(data);
  const wal = option("--wal");
  const here = { data, port: postgres.port, password, appPassword, say: console.log };
  const before = await restoreBackup({ ...here, from: path.resolve(from), wal, archive, until });
  console.log(`Restored. ${before ? `What was there before is in ${before}. ` : ""}Now run: npm start`);
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}
