import { isOfAnotherVersion } from "@/db/is-of-another-version";
import { migrate } from "@/db/migrate";
import { EnvError, readSecret } from "@/lib/env";
import { openSecrets } from "@/lib/kms/open-secrets";

// `npm run migrate`: brings the database to the schema of this build, and gives the role of web and worker its rights.
// Run it before the first process of a new version starts; running ones serve on. It needs no other variable.
try {
  await openSecrets();
  const appUrl = readSecret("DATABASE_URL");
  const ownerUrl = readSecret("MIGRATION_DATABASE_URL") ?? appUrl;
  if (!appUrl || !ownerUrl) {
    throw new EnvError(
      "Set DATABASE_URL (the role of web and worker) and MIGRATION_DATABASE_URL (the role that owns the tables).",
    );
  }
  if (await isOfAnotherVersion(ownerUrl)) {
    throw new EnvError(
      "The database was migrated by another version of Halcyon, which has migrations that this one lacks. Use that version, or an empty database.",
    );
  }
  await migrate(ownerUrl, appUrl);
  console.log("The database has the schema of this version.");
} catch (error) {
  console.error(error instanceof EnvError ? error.message : error);
  process.exitCode = 1;
}
