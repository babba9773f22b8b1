/*
 * Prepares owners with money for the files that use the services of their process in turn: signed up, enrolled, funded
 * and with their available balance proven, all through the product's own verbs.
 *   node scripts/run.mjs test/services/prepare-people.ts
 * in a test run whose variables name its folder and its server.
 */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { closeDb } from "@/db/client";
import { registerRelayers } from "@/lib/chain/operations/register-relayers";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { closeProver } from "@/lib/prover/process-prover";
import { Owner } from "../accounts/owner";
import type { PreparedOwner } from "../accounts/prepared-owners";
import { connectionsClosed } from "./connections";
import { setLocalEnv } from "./local-env";
import { startPreparedChains } from "./local-services";
import { createDatabase, sharedPostgres } from "./postgres-server";
import { PEOPLE, type PreparedPeople } from "./prepared-people";
import { withWorker } from "./with-worker";

const CHAIN = 46630;
/** Available balances in USDG, with how many owners of each: some less than a process of a whole run asks for. */
const AVAILABLE_BALANCES = [
  { dollars: 1_000n, owners: 5 },
  { dollars: 200n, owners: 1 },
  { dollars: 100n, owners: 5 },
  { dollars: 1n, owners: 3 },
];

const folder = process.env.HALCYON_TEST_PREPARED ?? "";
const server = sharedPostgres();
if (!folder || !server) throw new Error("this prepares something for a test run, and there is none");

const database = "prepared_people";
const data = path.join(folder, "people");
mkdirSync(data);
const [urls, chains] = await Promise.all([createDatabase(server, database), startPreparedChains(data)]);
setLocalEnv({ ...chains.env, ...urls });
await Promise.all([registerRelayers(46630), registerRelayers(4663)]);

const wanted = AVAILABLE_BALANCES.flatMap(({ dollars, owners }) =>
  Array.from({ length: owners }, () => dollars * 1_000_000n),
);
const owners = await withWorker(() =>
  Promise.all(
    wanted.map(async (units): Promise<PreparedOwner> => {
      const { account, walletKey, accountKey } = await Owner.funded(CHAIN, units);
      const stored = { ...account, createdAt: account.createdAt.toISOString() };
      return { chainId: CHAIN, units: units.toString(), account: stored, walletKey, accountKey: toHex(accountKey) };
    }),
  ),
);

await closeProver();
await connectionsClosed(urls.MIGRATION_DATABASE_URL, closeDb);
await chains.keep();
const people: PreparedPeople = { database, chains: data, owners };
const file = path.join(folder, PEOPLE);
writeFileSync(`${file}.new`, JSON.stringify(people));
renameSync(`${file}.new`, file);
process.exit(0);
