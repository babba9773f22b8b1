import type { Hex } from "viem";
import type { Context } from "@/sdk/context/context";
import { approveClientSigned } from "@/sdk/payments/approvals/approve";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { Tools } from "./method";
import { type Accepted, accepted } from "./send";

/**
 * Prepares, proves and signs what an agent asked for. The payment key signs, so the wallet is not asked. If a key of
 * the account itself asked to pay beyond its limits, the wallet signs.
 *
 * @param input.encrypted the ciphertext that was shown to the person who approves
 */
export async function approveHeld(
  context: Context,
  { id, ciphertext, pending }: { id: string; ciphertext: Hex; pending?: PendingPayment },
  { onPending }: Tools,
): Promise<Accepted> {
  const approved = await approveClientSigned(context, id, { ciphertext, pending, onPending });
  return accepted(approved.response, approved.seen, approved.pending);
}
