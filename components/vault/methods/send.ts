import type { Hex } from "viem";
import type { Context } from "@/sdk/context";
import { HalcyonError } from "@/sdk/errors";
import { send as pay, type SendInput } from "@/sdk/send";
import type { Tools } from "./method";

/** A payment that was accepted. It is mostly not final yet: `checkPayment` says what the chain shows. */
export interface Accepted {
  transfer_id: string;
  tx_hash: Hex;
}

/** Prepares, proves and signs a payment here, with the spender's key: the wallet is not asked. */
export async function send(
  context: Context,
  input: Pick<SendInput, "to" | "amount" | "asset" | "memo" | "from" | "idempotencyKey" | "pending">,
  { onPending }: Tools,
): Promise<Accepted> {
  const sent = await pay(context, { ...input, onPending, prepared: true, wait: false });
  // The owner's own act is never held.
  if ("transaction_id" in sent) throw new HalcyonError("internal", "The service held a payment of your own.");
  return { transfer_id: sent.transfer_id, tx_hash: sent.tx_hash };
}
