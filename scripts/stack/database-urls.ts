import { z } from "zod";
import { EnvError, readSecret } from "@/lib/base/env-secrets";
import { checked, Variables } from "@/lib/base/env-variables";
import { decryptSecretVariables } from "@/lib/chain/kms/open-secrets";

/**
 * Returns where the database is, for the role of web and worker and for the role that owns the tables. They are the
 * same if there is only one role.
 *
 * @throws EnvError when neither is set, or one is no address
 */
export async function databaseUrls(): Promise<{ appUrl: string; ownerUrl: string }> {
  await decryptSecretVariables();
  const appUrl = readDatabaseUrl("DATABASE_URL");
  const ownerUrl = readDatabaseUrl("MIGRATION_DATABASE_URL") ?? appUrl;
  if (!appUrl || !ownerUrl) {
    throw new EnvError(
      "Set DATABASE_URL (the role of web and worker) and MIGRATION_DATABASE_URL (the role that owns the tables).",
    );
  }
  return { appUrl, ownerUrl };
}

/**
 * Returns the address of a database in a variable; undefined if it is not set.
 *
 * @throws EnvError when it is no address. The driver's own error would quote it, with the password.
 */
export function readDatabaseUrl(name: string): string | undefined {
  const url = readSecret(name);
  if (url === undefined) return undefined;
  const type = z.object({ [name]: Variables.shape.DATABASE_URL });
  checked(type, { [name]: url }, "A database has a wrong address (encode special characters of its password). Set:");
  return url;
}
