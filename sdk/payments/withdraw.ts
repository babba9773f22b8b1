import { type Hex, isAddress, zeroAddress } from "viem";
import { parseAmount } from "@/lib/base/money";
import { paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import { partyOf, tagOf } from "../account/party";
import type { CallOptions } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import type { Transfer } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { attemptPayment } from "./attempt-payment";
import type { AttemptOptions } from "./attempts/attempt-options";
import { OutcomeUnknown } from "./attempts/outcome-unknown";
import type { Posted } from "./attempts/posted";
import { caughtUp, settledOnChain } from "./attempts/settle";
import { ownTransfer, readTransfer, type SettledTransfer } from "./attempts/transfer-status";

/** The input of a withdrawal. */
export interface WithdrawInput {
  /** Any 0x address, including the own wallet's. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** Default: `USDG`. */
  asset?: string | undefined;
  /** Handle of an agent of the account, to withdraw from its available balance. */
  agent?: string | undefined;
}

/** Options for sending a withdrawal. */
export interface WithdrawOptions extends CallOptions, AttemptOptions {
  /** `false` returns once the service has accepted the withdrawal, usually before it is final. */
  wait?: boolean | undefined;
}

/** A withdrawal and its sending options. */
export type WithdrawCall = WithdrawInput & WithdrawOptions;

/** Builds, proves and signs the withdrawal on this machine and has the service relay it. */
export async function withdrawClientSigned(context: Context, input: WithdrawCall): Promise<Posted<Transfer>> {
  const { to } = input;
  if (!isAddress(to)) {
    throw new HalcyonError(
      "invalid_request",
      "Withdraw to an address: 0x and 40 hex digits, with a right checksum if in mixed case.",
    );
  }
  const [asset, payer] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  const [session, scope, { seedKey }] = await Promise.all([context.session(), context.scope(), context.vault()]);
  const recipient = { address: to, handle: null, viewingKey: null, owner: zeroAddress };
  const payment = { to: recipient, asset, units: parseAmount(input.amount, asset.decimals), kind: "release" as const };
  const id = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const seed = paymentSeed(seedKey, scope, payer.address, id);
  return attemptPayment<Transfer>(
    context,
    { id, payer, asset, payment, seed, tag: tagOf(scope, payer, id) },
    input,
    (document, lockToken) =>
      session.post<Transfer>("/api/withdrawals", { client_signed: document, lock_token: lockToken }, payer.query),
    (listed) => listed,
  );
}

/** Withdraws. Implements `withdrawals.create`. */
export async function withdraw(context: Context, input: WithdrawCall): Promise<SettledTransfer> {
  const { response, seen, pending } = await withdrawClientSigned(context, input);
  const { symbol: asset } = await context.asset(input.asset);
  const result = (tx_hash: Hex, isFinal: boolean, listed: Transfer | null, now?: Transfer | null) =>
    ownTransfer(
      { status: isFinal ? "confirmed" : "pending", to: input.to, asset, confidential: false, tx_hash },
      listed,
      now,
    );
  if (input.wait === false) {
    if (response) return result(response.tx_hash, false, response);
    if (seen) return result(seen.tx_hash, seen.final, null);
    throw new OutcomeUnknown(pending);
  }
  const { tx_hash } = await settledOnChain(context, pending);
  if (!response) return result(tx_hash, true, null);
  const now = await caughtUp(context, () => readTransfer(context, response.transfer_id, "session"));
  return result(tx_hash, true, response, now);
}
