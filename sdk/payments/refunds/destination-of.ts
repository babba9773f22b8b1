import { type Address, isAddressEqual, zeroAddress } from "viem";
import { HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";

/**
 * Returns where a refund goes: to the account that paid according to the ledger, or to its owner. The service can
 * choose only between these two, by the setting of the paying agent's owner.
 *
 * @param asked the received payment, read with its history
 * @throws HalcyonError `refund_not_possible`, with `retryAfter` for a payment that is not final; `unavailable` when the
 *   service names a different account
 */
export async function destinationOf(context: Context, asked: Promise<Transfer>, payer: Address): Promise<Address> {
  const [chain, found] = await Promise.all([context.chain(), asked]);
  requireFinal(found);
  const to = found.history?.refund_to?.address;
  if (!to) throw new HalcyonError("refund_not_possible", "The service says that this payment can't be refunded.");
  if (isAddressEqual(to, payer)) return to;
  const { owner } = await chain.account(payer);
  if (!isAddressEqual(owner, zeroAddress) && isAddressEqual(to, owner)) return to;
  throw new HalcyonError(
    "unavailable",
    "The service names another account than the one that paid. Nothing is refunded.",
  );
}

/**
 * Refuses to refund what is not final, as the service does.
 *
 * @throws HalcyonError `refund_not_possible`, with `retryAfter`
 */
export function requireFinal({ status, direction }: Pick<Transfer, "status" | "direction">): void {
  if (status !== "pending" || direction !== "received") return;
  throw new HalcyonError(
    "refund_not_possible",
    "This payment is not final yet. Refund it once its status is `confirmed`.",
    { param: "refund_of", retryAfter: 2 },
  );
}
