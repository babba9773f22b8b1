import type { Context } from "@/sdk/context/context";
import { refundPrepared } from "@/sdk/refunds/refund";
import type { RefundCall } from "@/sdk/refunds/refund-by-key";
import type { Tools } from "./method";
import { type Accepted, accepted } from "./send";

/** Gives a received payment back, compared with what is left of it: proven and signed here, by the spender's key. */
export async function refund(
  context: Context,
  {
    transferId,
    to: _,
    asset: __,
    ...input
  }: Pick<RefundCall, "amount" | "memo" | "reference" | "idempotencyKey" | "pending"> & {
    transferId: string;
    /** Whom it pays, for what the page keeps and says. */
    to: string;
    asset: string;
  },
  { onPending }: Tools,
): Promise<Accepted> {
  const { response, seen, pending } = await refundPrepared(context, transferId, { ...input, onPending });
  return accepted(response && "transaction_id" in response ? null : response, seen, pending);
}
