import type { Hex } from "viem";
import { sql } from "@/db/client";
import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import type { SessionContext } from "@/lib/context/context";

/**
 * Whom a handle or address names, and the viewing key the service's index has for it. Clients pin the address at
 * first use and read the key from the chain before they pay.
 *
 * @throws ApiError `recipient_not_found`
 */
export async function resolveAccount(ctx: SessionContext, to: string): Promise<Recipient & { viewingKey: Hex | null }> {
  const recipient = await resolveRecipient(ctx.chainId, to);
  const [row] = await sql()<{ viewing_key: Buffer }[]>`
    select viewing_key from ledger_accounts
    where chain_id = ${ctx.chainId} and address = ${Buffer.from(recipient.address.slice(2), "hex")}`;
  return { ...recipient, viewingKey: row ? `0x${row.viewing_key.toString("hex")}` : null };
}
