import { and, desc, eq, gt } from "drizzle-orm";
import { db } from "@/db/client";
import { disclosures } from "@/db/schema/disclosures";
import type { SessionContext } from "@/lib/base/context/context";
import type { DisclosureRow } from "./disclosure-resource";

/** Returns the account's unexpired views on the network, newest first, without their ciphertexts. */
export async function listDisclosures(
  { account, chainId }: SessionContext,
  now = new Date(),
): Promise<DisclosureRow[]> {
  const { id, accountId, label, createdAt, expiresAt, openedAt } = disclosures;
  return db()
    .select({ id, accountId, chainId: disclosures.chainId, label, createdAt, expiresAt, openedAt })
    .from(disclosures)
    .where(and(eq(accountId, account.id), eq(disclosures.chainId, chainId), gt(expiresAt, now)))
    .orderBy(desc(createdAt), desc(id));
}
