/*
 * npm run seed -- --transfers 100000   fills the running local stack's database with rows of made-up accounts
 *
 * For trying out lists, exports and queries with the data of years. No one can decrypt these payments, and no chain has
 * them, so only the embedded database is filled. Delete .halcyon/ to remove them.
 */
import postgres from "postgres";
import { seedRows } from "./seed/seed-rows";
import { readConfig } from "./stack/config";
import { ownerUrl } from "./stack/postgres";
import { isOurs, recordedPid } from "./stack/processes";
import { loadSecrets } from "./stack/secrets";

const at = process.argv.indexOf("--transfers");
const transfers = Number(process.argv[at + 1]);
if (at < 0 || !Number.isInteger(transfers) || transfers < 1 || transfers > 25_000_000) {
  console.error("usage: npm run seed -- --transfers N (from 1 to 25,000,000)");
  process.exit(1);
}
const config = readConfig();
const supervisor = recordedPid(config.data, "supervisor");
if (config.databaseUrl || !supervisor || !isOurs(supervisor, "scripts/")) {
  console.error("Rows are made up in the embedded database alone. Run `npm start` first, without DATABASE_URL.");
  process.exit(1);
}
const url = ownerUrl(loadSecrets(config.data).postgresPassword, config.postgres.port);
const sql = postgres(url, { max: 1, onnotice: () => {} });
try {
  const [row] = await sql`select 1 from accounts where handle = 'seed1'`;
  if (row) throw new Error("This database has made-up rows already. Delete .halcyon/ to begin again.");
  await seedRows(sql, {
    chainId: 46630,
    transfers,
    done: (count) => console.log(`${count.toLocaleString("en-US")} transfers`),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await sql.end();
}
