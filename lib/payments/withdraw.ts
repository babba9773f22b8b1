import { getAddress } from "viem";
import { refusePrepared } from "@/lib/balances/check-document";
import { assetByAddress } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { countPayment } from "./count-payment";
import { createPreparedTransfer, isPublic } from "./create-client-signed-transfer";
import { paidTransfer } from "./paid-transfer";
import type { WithdrawInput } from "./schema";
import type { TransferView } from "./transfer-view";

/**
 * Withdraws from the available balance to any address: a prepared public payment by the owner of the account or agent.
 * The service's rules don't apply. If a key signed it, the ledger counts it under the policy, if there is one.
 *
 * @throws the errors of createPreparedTransfer
 */
export async function withdraw(ctx: SessionContext, { prepared, lock_token }: WithdrawInput): Promise<TransferView> {
  if (!isPublic(prepared)) throw refusePrepared("kind", "A withdrawal is a prepared public payment.");
  const asset = assetByAddress(ctx.chainId, prepared.asset);
  if (!asset) throw refusePrepared("asset", "This asset is not offered.");
  const input = { to: getAddress(prepared.to), asset: asset.symbol, confidential: false, prepared, lock_token };
  const pay = async () => paidTransfer(await createPreparedTransfer(ctx, ctx.account, input, { withdrawal: true }));
  return countPayment(pay, () => "paid");
}
