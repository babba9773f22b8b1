import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import type { SessionContext } from "@/lib/base/context/context";

/**
 * Resolves a handle or address to its account and the viewing key in the service's index. Clients don't trust the
 * result blindly: they pin the address at first use and read the key from the chain before they pay.
 *
 * @throws ApiError `recipient_not_found`
 */
export async function resolveAccount(ctx: SessionContext, to: string): Promise<Recipient & { viewingKey: Hex | null }> {
  const recipient = await resolveRecipient(ctx.chainId, to);
  const [row] = await db()
    .select({ viewingKey: ledgerAccounts.viewingKey })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, ctx.chainId), eq(ledgerAccounts.address, recipient.address)));
  return { ...recipient, viewingKey: row?.viewingKey ?? null };
}
