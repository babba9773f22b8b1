/*
 * A run in whose database each of PLANTED_DATA is planted before everyone looks. Prints what is found to be wrong, a line
 * each.
 */
import postgres from "postgres";
import type { KillableProduct } from "@/scripts/kill/product";
import { simulate } from "@/scripts/simulate/run";
import { ownerUrl } from "@/scripts/stack/postgres";
import { loadSecrets } from "@/scripts/stack/secrets";
import { PLANTED_DATA, PLANTED_RUN } from "./planted";

async function plant({ data, env }: KillableProduct): Promise<void> {
  const url = ownerUrl(loadSecrets(data).postgresPassword, Number(env.HALCYON_PG_PORT));
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.begin(async (tx) => {
      // Neither foreign keys nor triggers: a fault needs no permission.
      await tx.unsafe("set local session_replication_role = replica");
      for (const { fault, statement } of PLANTED_DATA) {
        const { count } = await tx.unsafe(statement);
        if (count === 0) throw new Error(`there is nothing in which to plant: ${fault}`);
      }
    });
  } finally {
    await sql.end();
  }
}

const { wrong } = await simulate({ ...PLANTED_RUN, say: (line) => console.error(line), beforeLooking: plant });
for (const line of wrong) console.log(line);
process.exit(0);
