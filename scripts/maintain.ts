import { maintain } from "@/db/maintain";
import { EnvError, readRetention, readSecret } from "@/lib/env";
import { openSecrets } from "@/lib/kms/open-secrets";

// `npm run maintain`: makes the partitions of the coming months and drops those past their time, as the role that owns
// the tables. Run it once a day, beside the product; `npm start` does so itself.
try {
  await openSecrets();
  const appUrl = readSecret("DATABASE_URL");
  const ownerUrl = readSecret("MIGRATION_DATABASE_URL") ?? appUrl;
  if (!appUrl || !ownerUrl) {
    throw new EnvError(
      "Set DATABASE_URL (the role of web and worker) and MIGRATION_DATABASE_URL (the role that owns the tables).",
    );
  }
  const { created, dropped, kept } = await maintain(ownerUrl, appUrl, readRetention());
  for (const name of created) console.log(`created ${name}`);
  for (const name of dropped) console.log(`dropped ${name}`);
  for (const why of kept) console.log(`stays: ${why}`);
  console.log("The tables have partitions for the coming months.");
} catch (error) {
  console.error(error instanceof EnvError ? error.message : error);
  process.exitCode = 1;
}
