import type { ContextAccount, KeyContext } from "@/lib/base/context/context";
import { log } from "@/lib/base/telemetry/log";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { deriveAgentHalf, deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { decryptHeld, type HeldPayment } from "@/lib/ledger/encrypted/held";
import { type StoredHeld, transactionNotFound } from "./find-held";

/**
 * Decrypts what the agent asked for with what the owner's API key unwraps. An approval pays only that: if the row says
 * something else, or the text is not this agent's, it is refused.
 *
 * @throws ApiError `transaction_not_found`, `key_forbidden` for a key that wraps nothing
 */
export async function openPayment(ctx: KeyContext, agent: ContextAccount, { row }: StoredHeld): Promise<HeldPayment> {
  const scope = await scopeOf(ctx.chainId);
  const { secret, authority } = await ctx.unwrap();
  authority.fill(0);
  const agentSecret = deriveAgentHalf(secret, agent.address, scope);
  const heldKey = deriveHeldKey(secret, scope).secret;
  try {
    const ref = { id: row.id, agent: agent.address, asset: row.asset };
    const payment = await decryptHeld(heldKey, agentSecret, scope, ref, fromHex(row.encrypted));
    if (payment.to === row.recipientAddress && payment.kind === row.kind) return payment;
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
  } finally {
    for (const key of [secret, agentSecret, heldKey]) key.fill(0);
  }
  throw notAsAsked(row.id);
}

/** Returns the error for a held payment whose row was changed, or whose handle now stands for another address. */
export function notAsAsked(id: string): Error {
  log().error({ transaction: id }, "a payment awaiting approval is not what its agent asked for");
  return transactionNotFound();
}
