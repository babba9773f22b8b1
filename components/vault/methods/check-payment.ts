import { checkPayment as check } from "@/sdk/check-payment";
import type { Context } from "@/sdk/context";
import { type PaymentOutcome, readPending } from "@/sdk/pending-payment";

/** What the chain shows of a payment, allocation or deposit whose outcome was left open; `pending` as it was kept. */
export function checkPayment(context: Context, { pending }: { pending: unknown }): Promise<PaymentOutcome> {
  return check(context, readPending(pending));
}
