import type { Hex } from "viem";
import { approve } from "@/sdk/approve";
import type { Context } from "@/sdk/context";
import { HalcyonError } from "@/sdk/errors";
import type { PendingPayment } from "@/sdk/pending-payment";
import type { Tools } from "./method";
import type { Accepted } from "./send";

/**
 * Prepares, proves and signs what an agent asked for, with the spender's key: the wallet is not asked.
 *
 * @param input.sealed the text that was shown to the person who approves
 */
export async function approveHeld(
  context: Context,
  { id, sealed, pending }: { id: string; sealed: Hex; pending?: PendingPayment },
  { onPending }: Tools,
): Promise<Accepted> {
  const { transfer_id, tx_hash } = await approve(context, id, { sealed, pending, onPending, wait: false });
  if (!transfer_id || !tx_hash) throw new HalcyonError("internal", "The service approved without a payment.");
  return { transfer_id, tx_hash };
}
