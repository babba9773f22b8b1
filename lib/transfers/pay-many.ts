import { type Asset, assetBySymbol, unitsOf } from "@/lib/assets";
import { newestState, resealRequired } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { broadcast } from "@/lib/chain/broadcast";
import { scopeOf } from "@/lib/chain/scope-of";
import type { BeforeCommit, KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireKyc } from "@/lib/kyc/require-kyc";
import { BATCH_PAYMENTS } from "@/lib/ledger/seal/batch-copy";
import { CHAIN_ID } from "@/lib/network";
import { insufficientBalance } from "@/lib/payment-errors";
import { countPayment } from "./count-payment";
import { findPayee } from "./create-prepared-batch";
import { openNewest, openSecrets, tagOf } from "./payment-secrets";
import { proveBatch } from "./prove-payment";
import { readPayer } from "./read-payer";
import { recordBatch } from "./record-transfer";
import { mayNotSign, resolveSigner } from "./resolve-signer";
import { PAYMENT_DEADLINE } from "./server-signed-payment";
import type { TransferView } from "./transfer-view";

/** Payments of one account in one asset, to be made together. */
export interface PaymentsTogether {
  asset?: Asset["symbol"];
  /** 2 to 16; `to` as the caller writes it, amounts as decimal strings. */
  payments: readonly { to: string; amount: string; memo?: string }[];
}

/**
 * Pays 2 to 16 payments of the key's own account with one proof: all of them or none. It takes an account without a
 * policy, for under one the wallet alone signs a batch. A recipient that can't be paid is found before anything is
 * proved.
 *
 * @param beforeCommit runs in the payments' transaction, last
 * @throws what createTransfer throws, naming the payment at fault
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
  const { chainId, account: payer } = ctx;
  if (chainId === CHAIN_ID.live) await requireKyc(ctx);
  if (payments.length < 2 || payments.length > BATCH_PAYMENTS) {
    throw new ApiError("invalid_request", "Between 2 and 16 payments go together.", { param: "payments" });
  }
  const asset = assetBySymbol(chainId, symbol);
  const amounts = payments.map(({ amount }) => unitsOf(asset, amount));
  const receivers = await Promise.all(payments.map(({ to }, index) => findPayee(ctx, to, index)));
  const [scope, says] = [await scopeOf(chainId), await readPayer(chainId, payer)];
  if (!says) throw mayNotSign();
  if (says.hasPolicy) {
    throw new ApiError(
      "key_forbidden",
      "Under a policy payments go one by one. The wallet alone signs several at once.",
    );
  }
  const budgetId = { chainId, account: payer.address, asset: asset.address };
  const { operation, views } = await withBudgets([budgetId], async (tx) => {
    const newest = await newestState(tx, budgetId);
    if (newest.resealRequired) throw resealRequired();
    const secrets = await openSecrets(ctx, scope, payer, null, tx);
    try {
      const budget = openNewest(scope, budgetId, newest, secrets.payer, secrets.secretVersion);
      if (amounts.reduce((sum, amount) => sum + amount, 0n) > budget.limit) throw insufficientBalance();
      const deadline = BigInt(Math.floor(Date.now() / 1000) + PAYMENT_DEADLINE);
      const toSign = { isPublic: false, ruled: null, deadline };
      const { privateKey } = resolveSigner(scope, payer, says.party, secrets, toSign);
      const request = {
        scope,
        account: payer.address,
        asset: asset.address,
        budget,
        deadline,
        policyVersion: says.party.record.policyVersion,
        payerViewingKey: says.viewingKey,
        secret: secrets.payer,
        tag: tagOf(ctx, scope, payer, secrets),
        payments: receivers.map(({ recipient, key }, index) => {
          const amount = amounts[index];
          if (!key || amount === undefined) throw new Error("a payment of a batch lacks its recipient's key");
          return { to: recipient.address, amount, recipientViewingKey: key.viewingKey, memo: payments[index]?.memo };
        }),
      };
      const recorded = await recordBatch(tx, {
        chainId,
        payer,
        payees: receivers.map(({ recipient }, index) => ({ recipient, to: payments[index]?.to ?? "" })),
        document: await proveBatch(request, privateKey),
        secretVersion: secrets.secretVersion,
        keyId: ctx.keyId,
        prepared: false,
        follows: newest.madeBy,
        after: receivers.find(({ key }) => key?.pending)?.recipient.address,
      });
      await beforeCommit(tx, recorded.views);
      return recorded;
    } finally {
      secrets.wipe();
    }
  });
  broadcast(operation);
  return views;
}
