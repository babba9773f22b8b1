import type { Asset } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { countPayment } from "./count-payment";
import { paidTransfer } from "./paid-transfer";
import type { BatchedPayment } from "./pay-batches-locked";
import { payServerSigned } from "./pay-server-signed";
import { payTogether } from "./pay-together";
import type { AroundPayment } from "./payment-transaction";

/** Payments that were encrypted in advance: a run of a schedule, or rows of a payout. */
interface FixedPayments {
  asset: Asset;
  /** 1 to 16 confidential payments of the key's own account. */
  payments: readonly BatchedPayment[];
  /** Fixes their notes, so that the ledger accepts them once, however often and by which client they are paid. */
  seed: Uint8Array;
  /** What they are known by, if it is not the request's tag. */
  tag?: Uint8Array | undefined;
}

/**
 * Pays what was encrypted in advance, with one proof: several together, one as any payment, within a policy if there is
 * one. None of them is ever held: above the threshold of the account's keys, the wallet has to pay.
 *
 * @throws AlreadyPaid when their notes exist; ApiError as {@link payServerSigned} and {@link payTogether}
 */
export function payFixed(
  ctx: KeyContext,
  { asset, payments, seed, tag }: FixedPayments,
  around: AroundPayment<unknown>,
): Promise<unknown> {
  const [one, ...others] = payments;
  if (!one) throw new Error("there is nothing to pay");
  const marks = { seed, ...(tag && { tag }) };
  const payOne = async () => {
    const payment = { memo: undefined, ...one, payer: ctx.account, asset, confidential: true, ...marks };
    return paidTransfer(await payServerSigned(ctx, payment, around));
  };
  const pay = () => (others.length > 0 ? payTogether(ctx, { asset, payments, ...marks }, around) : payOne());
  return countPayment<unknown>(pay, () => "paid", payments.length);
}
