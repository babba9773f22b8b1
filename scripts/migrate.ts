import { isOfAnotherVersion } from "@/db/is-of-another-version";
import { migrate } from "@/db/migrate";
import { EnvError } from "@/lib/base/env-secrets";
import { databaseUrls } from "./stack/database-urls";
import { printable } from "./stack/printable";

// `npm run migrate`: migrates the database to the schema of this build, and restricts the role of web and worker. Run
// it before the first process of a new version starts; running processes continue. It needs no other variable.
try {
  const { appUrl, ownerUrl } = await databaseUrls();
  if (await isOfAnotherVersion(ownerUrl)) {
    throw new EnvError(
      "The database was migrated by another version of Halcyon, which has migrations that this one lacks. Use that version, or an empty database.",
    );
  }
  await migrate(ownerUrl, appUrl);
  console.log("The database has the schema of this version.");
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}
