import { getAddress } from "viem";
import { refuseDocument } from "@/lib/balances/check-document";
import { assetByAddress } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { countPayment } from "./count-payment";
import { createClientSignedTransfer, isPublic } from "./create-client-signed-transfer";
import { paidTransfer } from "./paid-transfer";
import type { WithdrawInput } from "./schema";
import type { TransferView } from "./transfer-view";

/**
 * Withdraws from the available balance to any address: a client-signed public payment by the owner of the account or agent.
 * The service's rules don't apply. If a key signed it, the ledger counts it under the policy, if there is one.
 *
 * @throws the errors of createClientSignedTransfer
 */
export async function withdraw(
  ctx: SessionContext,
  { client_signed: document, lock_token }: WithdrawInput,
): Promise<TransferView> {
  if (!isPublic(document)) throw refuseDocument("kind", "A withdrawal is a client-signed public payment.");
  const asset = assetByAddress(ctx.chainId, document.asset);
  if (!asset) throw refuseDocument("asset", "This asset is not offered.");
  const input = {
    to: getAddress(document.to),
    asset: asset.symbol,
    confidential: false,
    client_signed: document,
    lock_token,
    withdrawal: true,
  };
  const pay = async () => paidTransfer(await createClientSignedTransfer(ctx, ctx.account, input));
  return countPayment(pay, () => "paid");
}
