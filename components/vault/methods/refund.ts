import type { Context } from "@/sdk/context/context";
import { refundClientSigned } from "@/sdk/payments/refunds/refund";
import type { RefundCall } from "@/sdk/payments/refunds/refund-by-key";
import type { Tools } from "./method";
import { type Accepted, accepted } from "./send";

/**
 * Refunds a received payment after a comparison with what is left of it. Proven in the worker and signed with the
 * payment key.
 */
export async function refund(
  context: Context,
  {
    transferId,
    to: _,
    agent: __,
    asset: ___,
    ...input
  }: Pick<RefundCall, "amount" | "memo" | "reference" | "idempotencyKey" | "pending"> & {
    transferId: string;
    /** The recipient, for the page's record and messages. */
    to: string;
    /** The agent that received the payment and pays it back, if it was an agent. For the page only. */
    agent?: string | undefined;
    asset: string;
  },
  { onPending }: Tools,
): Promise<Accepted> {
  const { response, seen, pending } = await refundClientSigned(context, transferId, { ...input, onPending });
  return accepted(response && "transaction_id" in response ? null : response, seen, pending);
}
