import type { Tx } from "@/db/client";
import { refuseSigner } from "@/lib/agents/unavailable-while-signer-changes";
import type { Asset } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { scopeOf } from "@/lib/chain/scope-of";
import { type BatchedPayment, payBatchesLocked } from "./pay-batches-locked";
import { type AroundPayment, inPaymentTransaction } from "./payment-transaction";
import { readPayer } from "./read-payer";
import { notEnrolled } from "./resolve-signer";
import type { TransferView } from "./transfer-view";

/** Payments with their receivers and their amounts in units. */
interface Together {
  asset: Asset;
  /** 2 to 16 payments. */
  payments: readonly BatchedPayment[];
  /** Fixed in advance, so that the notes are the same however often the payments are made. Random by default. */
  seed?: Uint8Array;
  /** Set with `seed`, if it is not the request's tag. */
  tag?: Uint8Array;
}

/**
 * Pays from the available balance of the key's own account with one proof, in one transaction under the available
 * balance's lock: all of them or none.
 *
 * @throws AlreadyPaid when notes fixed by `seed` exist; ApiError `key_forbidden` under a policy, `insufficient_balance`,
 *   `sync_required`, `rate_limited`, `unavailable`
 */
export async function payTogether(
  ctx: KeyContext,
  { asset, payments, ...fixed }: Together,
  around: AroundPayment<TransferView[]> = {},
): Promise<TransferView[]> {
  const { chainId, account: payer } = ctx;
  const [scope, says] = [await scopeOf(chainId), await readPayer(chainId, payer)];
  if (!says) return refuseSigner(notEnrolled(chainId, payer));
  if (says.hasPolicy) throw aloneUnderPolicy();
  const make = async (tx: Tx) => {
    const [recorded] = await payBatchesLocked(tx, ctx, { scope, says, asset, batches: [payments], ...fixed });
    if (!recorded) throw new Error("a batch was not recorded");
    return { created: recorded.views, operations: [recorded.operation] };
  };
  const availableIds = [{ chainId, account: payer.address, asset: asset.address }];
  return inPaymentTransaction(
    ctx,
    { payer, details: payments.map(({ details }) => details), availableIds, make },
    around,
  );
}

/** Returns the error for an account under a policy. */
export function aloneUnderPolicy(): ApiError {
  return new ApiError(
    "key_forbidden",
    "Under a policy payments go one by one. The wallet alone signs several at once.",
  );
}
