import type { Tx } from "@/db/client";
import type { Asset } from "@/lib/assets";
import { newestState, resealRequired } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { broadcast } from "@/lib/chain/broadcast";
import { scopeOf } from "@/lib/chain/scope-of";
import type { BeforeCommit, KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { insufficientBalance } from "@/lib/payment-errors";
import { claimBatch, type DetailsToClaim } from "./claim-details";
import type { Receiver } from "./find-receiver";
import { isPaidBefore } from "./paid-before";
import { openNewest, openSecrets, tagOf } from "./payment-secrets";
import { proveBatch } from "./prove-payment";
import { readPayer } from "./read-payer";
import { recordBatch } from "./record-transfer";
import { madeBefore } from "./refuse-approved";
import { mayNotSign, resolveSigner } from "./resolve-signer";
import { PAYMENT_DEADLINE } from "./server-signed-payment";
import type { TransferView } from "./transfer-view";

/** Payments whose receivers are found; amounts in units. */
interface Together {
  asset: Asset;
  /** 2 to 16. */
  payments: readonly {
    receiver: Receiver;
    to: string;
    amount: bigint;
    memo?: string;
    /** What it says beside its money. */
    details?: DetailsToClaim;
    /** 32 bytes that say what it is for. */
    binding?: Uint8Array;
  }[];
  /** Fixed before: however often they are paid, their notes are the same. A random one when left out. */
  seed?: Uint8Array;
  /** With `seed`, where it is not the request's. */
  tag?: Uint8Array;
}

interface Hooks {
  /** Runs first, before any budget is locked. */
  first?: (tx: Tx) => Promise<void>;
  /** Runs last. */
  beforeCommit?: BeforeCommit<TransferView[]>;
}

/**
 * Pays from the budget of the key's own account with one proof, in one transaction under its lock: all of them or none.
 *
 * @throws key_forbidden under a policy, transaction_not_found when they were paid before, insufficient_balance, reseal_required, rate_limited, unavailable
 */
export async function payTogether(
  ctx: KeyContext,
  { asset, payments, seed, tag }: Together,
  { first, beforeCommit = async () => {} }: Hooks = {},
): Promise<TransferView[]> {
  const { chainId, account: payer } = ctx;
  const [scope, says] = [await scopeOf(chainId), await readPayer(chainId, payer)];
  if (!says) throw mayNotSign();
  if (says.hasPolicy) throw aloneUnderPolicy();
  const budgetId = { chainId, account: payer.address, asset: asset.address };
  const work = async (tx: Tx) => {
    const claimed = await claimBatch(
      tx,
      ctx,
      payments.map(({ receiver, details }) => ({
        payment: { payer, recipient: receiver.recipient.address, asset: asset.address, confidential: true },
        details,
      })),
    );
    const newest = await newestState(tx, budgetId);
    if (newest.resealRequired) throw resealRequired();
    const secrets = await openSecrets(ctx, scope, payer, null, tx);
    try {
      const budget = openNewest(scope, budgetId, newest, secrets.payer, secrets.secretVersion);
      if (payments.reduce((sum, { amount }) => sum + amount, 0n) > budget.limit) throw insufficientBalance();
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
        seed,
        tag: tag ?? tagOf(ctx, scope, payer, secrets),
        payments: payments.map(({ receiver: { recipient, key }, amount, memo, binding }) => {
          if (!key) throw new Error("a payment of a batch lacks its recipient's key");
          return { to: recipient.address, amount, recipientViewingKey: key.viewingKey, memo, binding };
        }),
      };
      const document = await proveBatch(request, privateKey);
      // Paid before, whatever rows say: the ledger would refuse it.
      if (seed && (await isPaidBefore(tx, chainId, document))) throw madeBefore();
      const recorded = await recordBatch(tx, {
        chainId,
        payer,
        payees: payments.map(({ receiver, to }, index) => ({
          recipient: receiver.recipient,
          to,
          details: claimed[index],
        })),
        document,
        secretVersion: secrets.secretVersion,
        keyId: ctx.keyId,
        prepared: false,
        follows: newest.madeBy,
        after: payments.find(({ receiver }) => receiver.key?.pending)?.receiver.recipient.address,
      });
      await beforeCommit(tx, recorded.views);
      return recorded;
    } finally {
      secrets.wipe();
    }
  };
  const { operation, views } = await withBudgets([budgetId], work, { first });
  broadcast(operation);
  return views;
}

/** The refusal to an account under a policy. */
export function aloneUnderPolicy(): ApiError {
  return new ApiError(
    "key_forbidden",
    "Under a policy payments go one by one. The wallet alone signs several at once.",
  );
}
