import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { KeyContext } from "@/lib/base/context/context";
import type { LostIdempotencyKeys } from "./lost-idempotency-keys";
import { KEYS_COUNT_MS } from "./read-tags";

/**
 * Reports whether a request may have made a payment for which there is no transfer, so that no tag can show it: after a
 * restore, one from an agent that the backup lacks and whose owner the ledger names, or from an account that the backup
 * lacks and that signed up again. An agent that was in the backup has paid from nowhere else; one that was registered
 * since may follow a lost one, whose program may repeat requests.
 */
export async function mayHaveUnlistedPayment(
  { account, chainId }: KeyContext,
  { until }: LostIdempotencyKeys,
): Promise<boolean> {
  // The newest lost payment is this much older than the end, and the backup is older than that payment.
  const wasInBackup = account.createdAt.getTime() < until.getTime() - KEYS_COUNT_MS;
  if (account.type === "agent" && wasInBackup) return false;
  if (account.type !== "agent" && !wasInBackup) return true;
  const [row] = await db().execute<{ found: boolean }>(sql`
    select exists (
      select from ledger_accounts l join ledger_payments p on p.chain_id = l.chain_id and p.payer = l.address
      where l.chain_id = ${chainId} and l.owner = ${Buffer.from(account.rootAddress.slice(2), "hex")}
        and not exists (select from accounts a where a.address = l.address)) as found`);
  return row?.found === true;
}
