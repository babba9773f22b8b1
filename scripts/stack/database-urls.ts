import { EnvError, readSecret } from "@/lib/env-secrets";
import { openSecrets } from "@/lib/kms/open-secrets";

/**
 * Returns where the database is, for the role of web and worker and for the role that owns the tables. They are the
 * same if there is only one role.
 *
 * @throws EnvError when neither is set
 */
export async function databaseUrls(): Promise<{ appUrl: string; ownerUrl: string }> {
  await openSecrets();
  const appUrl = readSecret("DATABASE_URL");
  const ownerUrl = readSecret("MIGRATION_DATABASE_URL") ?? appUrl;
  if (!appUrl || !ownerUrl) {
    throw new EnvError(
      "Set DATABASE_URL (the role of web and worker) and MIGRATION_DATABASE_URL (the role that owns the tables).",
    );
  }
  return { appUrl, ownerUrl };
}
