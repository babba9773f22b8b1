import { type Asset, assetBySymbol, unitsOf } from "@/lib/assets";
import type { BeforeCommit, Context, KeyContext } from "@/lib/auth/context";
import type { NewestState } from "@/lib/budgets/lock";
import { newestState, resealRequired } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { broadcast } from "@/lib/chain/broadcast";
import { readRecord } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope";
import { ApiError } from "@/lib/errors";
import { requireKyc } from "@/lib/kyc/require-kyc";
import { openBudgetState } from "@/lib/ledger/budget-state";
import { fromHex } from "@/lib/ledger/bytes";
import { type BudgetOpening, EMPTY_BUDGET_OPENING } from "@/lib/ledger/commitments";
import { InsufficientBudget, UnsealFailed } from "@/lib/ledger/errors";
import { hexToWord } from "@/lib/ledger/field";
import { deriveSpender, type SpenderKey } from "@/lib/ledger/keys";
import type { Scope } from "@/lib/ledger/scope";
import { CHAIN_ID } from "@/lib/network";
import { createPreparedTransfer } from "./create-prepared-transfer";
import { provePayment } from "./prove-payment";
import { findReceiver, type Receiver } from "./receiving";
import { type ReadyPayment, recordTransfer } from "./record-transfer";
import type { CreateTransferInput } from "./schema";
import type { TransferView } from "./transfer-view";

/** How long the ledger may take a plain payment: while it lasts a failed attempt is made again. Seconds. */
const PAYMENT_DEADLINE = 3_600;

/**
 * Sends a payment (docs/protocol.md section 6). A plain one opens the budget with what the API key unwraps, proves and
 * signs; the secret is wiped before this returns. A `prepared` one is checked and relayed.
 *
 * @param beforeCommit completes the caller's `Idempotency-Key` in the payment's own transaction
 * @param options.deadlineSeconds how long the ledger may take the payment
 * @throws kyc_required (live network), invalid_request, key_forbidden, recipient_not_found, recipient_not_confidential_ready, insufficient_balance,
 * reseal_required, budget_changed (prepared only), rate_limited, unavailable
 */
export async function createTransfer(
  ctx: Context,
  input: CreateTransferInput,
  beforeCommit: BeforeCommit<TransferView> = async () => {},
  options: { deadlineSeconds?: number } = {},
): Promise<TransferView> {
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  const { prepared } = input;
  if (prepared) return createPreparedTransfer(ctx, { ...input, prepared }, beforeCommit);
  if (ctx.actor === "session") {
    throw new ApiError("invalid_request", "A session sends `prepared` payments only.", { param: "prepared" });
  }
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const amount = unitsOf(asset, input.amount ?? "");
  const receiver = await findReceiver(ctx.chainId, ctx.account, input.to, input.confidential);
  const payment = { amount, asset, receiver, confidential: input.confidential, to: input.to, memo: input.memo };
  const deadlineSeconds = options.deadlineSeconds ?? PAYMENT_DEADLINE;
  return payPlainly(ctx, { ...payment, deadlineSeconds }, beforeCommit);
}

interface PlainPayment {
  amount: bigint;
  asset: Asset;
  receiver: Receiver;
  confidential: boolean;
  to: string;
  memo: string | undefined;
  deadlineSeconds: number;
}

async function payPlainly(
  ctx: KeyContext,
  payment: PlainPayment,
  beforeCommit: BeforeCommit<TransferView>,
): Promise<TransferView> {
  const { chainId, account } = ctx;
  const { asset, amount, receiver, confidential, memo } = payment;
  const scope = await scopeOf(chainId);
  const place = { chainId, account: account.address, asset: asset.address };
  const { operation, view } = await withBudgets([place], async (tx) => {
    const newest = await newestState(tx, place);
    if (newest.resealRequired) throw resealRequired();
    const { secret, secretVersion } = await ctx.unwrap();
    try {
      const budget = openNewest(scope, place, newest, secret, secretVersion);
      if (amount > budget.limit) throw insufficientBalance();
      const deadline = BigInt(Math.floor(Date.now() / 1000) + payment.deadlineSeconds);
      const { spender, viewingKey } = await payerKeys(ctx, scope, secret, deadline);
      const document = await provePayment(
        confidential,
        {
          scope,
          account: account.address,
          to: receiver.recipient.address,
          asset: asset.address,
          budget,
          amount,
          deadline,
          payerViewingKey: viewingKey,
          secret,
          memo,
        },
        receiver.key?.viewingKey,
        spender.privateKey,
      );
      const ready: ReadyPayment = {
        chainId,
        payer: account,
        recipient: receiver.recipient,
        to: payment.to,
        document,
        secretVersion,
        keyId: ctx.keyId,
        prepared: false,
        afterRecipient: confidential && receiver.key?.pending === true,
      };
      const recorded = await recordTransfer(tx, ready);
      await beforeCommit(tx, recorded.view);
      return recorded;
    } catch (error) {
      throw error instanceof InsufficientBudget ? insufficientBalance() : error;
    } finally {
      secret.fill(0);
    }
  });
  broadcast(operation);
  return view;
}

function openNewest(
  scope: Scope,
  place: { account: `0x${string}`; asset: `0x${string}` },
  newest: NewestState,
  secret: Uint8Array,
  secretVersion: number,
): BudgetOpening {
  if (!newest.state) return EMPTY_BUDGET_OPENING;
  if (newest.state.secretVersion !== secretVersion) throw resealRequired();
  try {
    const { account, asset } = place;
    return openBudgetState(
      secret,
      { scope, account, asset, commitment: hexToWord(newest.word) },
      fromHex(newest.state.sealed),
    );
  } catch (error) {
    throw error instanceof UnsealFailed ? resealRequired() : error;
  }
}

/** The payer's viewing key and its spender, who must be able to sign until the deadline. */
async function payerKeys(
  ctx: KeyContext,
  scope: Scope,
  secret: Uint8Array,
  deadline: bigint,
): Promise<{ spender: SpenderKey; viewingKey: Uint8Array }> {
  const record = await readRecord(ctx.chainId, ctx.account.address);
  const spender = deriveSpender(secret, scope);
  if (record?.spender.toLowerCase() !== spender.address.toLowerCase() || record.spenderUntil < deadline) {
    throw new ApiError(
      "key_forbidden",
      "This key may no longer sign payments of its account. Make a new key with the owner's client.",
    );
  }
  return { spender, viewingKey: record.viewingKey };
}

/** The refusal of a payment the budget does not cover. It never says how much there is. */
export function insufficientBalance(): ApiError {
  return new ApiError(
    "insufficient_balance",
    "The budget does not cover this payment. Allocate more to it with the dashboard, SDK or command line.",
  );
}
