import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { type Asset, assetBySymbol, unitsOf } from "@/lib/base/assets";
import type { BeforeCommit, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { BATCH_PAYMENTS } from "@/lib/ledger/encrypted/batch-copy";
import type { DetailsToClaim } from "@/lib/payments/claim-details";
import { countPayment } from "@/lib/payments/count-payment";
import { payTogether } from "@/lib/payments/pay-together";
import { findPayee } from "@/lib/payments/relay-batch";
import type { TransferView } from "@/lib/payments/transfer-view";

/** Payments of one account in one asset that are made together. */
export interface PaymentsTogether {
  asset?: Asset["symbol"];
  /** 2 to 16 payments. `to` is as the caller specifies it; amounts are decimal strings. */
  payments: readonly {
    to: string;
    amount: string;
    memo?: string;
    /** Its details, such as a reference. */
    details?: DetailsToClaim;
    /** 32 bytes that identify what it is for. */
    binding?: Uint8Array;
  }[];
}

/**
 * Pays 2 to 16 payments of the key's own account with one proof: all of them or none. The account must have no policy,
 * because under a policy only the wallet signs batches. Recipients are checked before anything is proved.
 *
 * @param beforeCommit runs last in the payments' transaction
 * @throws the errors of createTransfer, naming the payment at fault
 */
export function payMany(
  ctx: KeyContext,
  together: PaymentsTogether,
  beforeCommit: BeforeCommit<TransferView[]> = async () => {},
): Promise<TransferView[]> {
  return countPayment(
    () => pay(ctx, together, beforeCommit),
    () => "paid",
    together.payments.length,
  );
}

async function pay(
  ctx: KeyContext,
  { asset: symbol, payments }: PaymentsTogether,
  beforeCommit: BeforeCommit<TransferView[]>,
): Promise<TransferView[]> {
  const { chainId } = ctx;
  if (chainId === CHAIN_ID.live) await requireKyc(ctx);
  if (payments.length < 2 || payments.length > BATCH_PAYMENTS) {
    throw new ApiError("invalid_request", "Between 2 and 16 payments go together.", { param: "payments" });
  }
  const asset = assetBySymbol(chainId, symbol);
  const amounts = payments.map(({ amount }) => unitsOf(asset, amount));
  const receivers = await Promise.all(payments.map(({ to }, index) => findPayee(ctx, to, index)));
  const found = payments.flatMap(({ to, memo, details, binding }, index) => {
    const [receiver, amount] = [receivers[index], amounts[index]];
    return receiver && amount !== undefined ? [{ receiver, to, amount, memo, details, binding }] : [];
  });
  return payTogether(ctx, { asset, payments: found }, { beforeCommit });
}
