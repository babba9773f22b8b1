import { db } from "@/db/client";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { type Asset, assetBySymbol, unitsOf } from "@/lib/base/assets";
import type { BeforeCommit, Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { needsHomeKey } from "@/lib/base/payment-errors";
import { domainOfToken } from "@/lib/chain/domain-of-token";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { findPaymentOfLostResponse } from "./after-restore/find-payment-of-lost-response";
import { blindPayment } from "./blind/blind-payment";
import { holdBlind } from "./blind/hold-blind";
import { type DetailsToClaim, runToPay } from "./claim-details";
import { countPayment } from "./count-payment";
import { type ClientSignedTransferInput, createClientSignedTransfer } from "./create-client-signed-transfer";
import { findPayer } from "./find-payer";
import { findReceiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import { payServerSigned } from "./pay-server-signed";
import { comesTo } from "./payments-on-their-way";
import { readPayer } from "./read-payer";
import { findRefund } from "./refunds/find-refund";
import type { BlindPaymentInput, CreateTransferInput } from "./schema";
import type { ServerSignedPayment } from "./server-signed-payment";

/**
 * Sends a payment (docs/protocol.md section 6) from the caller's account or, with `from`, from one of its agents. For a
 * server-signed payment, decrypts the available balance with what the API key unwraps, proves and signs; an agent's
 * payment may be held for its owner. A `client_signed` payment is checked and relayed. After a restored backup, returns
 * again what an earlier request with the same idempotency key paid.
 *
 * @param beforeCommit completes the caller's `Idempotency-Key` in the payment's own transaction
 * @throws ApiError `not_agent_owner`, `not_found` (`from`), `kyc_required` (live network), `invalid_request`,
 *   `key_forbidden`, `recipient_not_found`, `recipient_not_confidential_ready`, `policy_violation`,
 *   `policy_not_in_force`, `insufficient_balance`, `sync_required`, `available_balance_changed` (client-signed only),
 *   `rate_limited`, `unavailable`
 */
export async function createTransfer(
  ctx: Context,
  input: CreateTransferInput,
  beforeCommit: BeforeCommit<CreatedTransfer> = async () => {},
): Promise<CreatedTransfer> {
  requireBuiltAtHome(ctx, input);
  const { paid, check } = await findPaymentOfLostResponse(ctx, input);
  const complete: typeof beforeCommit = async (tx, created) => {
    await check(tx);
    await beforeCommit(tx, created);
  };
  if (paid) {
    const created = { outcome: "paid", transfer: paid, isRepeated: true } as const;
    await db().transaction((tx) => complete(tx, created));
    return created;
  }
  return countPayment(
    () => pay(ctx, input, complete),
    ({ outcome }) => outcome,
  );
}

/**
 * Refuses a payment, or a dry run of one, with a blind key that the service would have to read.
 *
 * @throws ApiError `key_forbidden`
 */
export function requireBuiltAtHome(ctx: Context, { client_signed: signed, blind }: CreateTransferInput): void {
  if (ctx.actor === "key" && ctx.blind && !signed && !blind) throw needsHomeKey();
}

async function pay(
  ctx: Context,
  input: CreateTransferInput,
  beforeCommit: BeforeCommit<CreatedTransfer>,
): Promise<CreatedTransfer> {
  const payer = await findPayer(ctx, input.from);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  const { client_signed: signed, blind } = input;
  if (blind) return payBlind(ctx, payer, input, blind, beforeCommit);
  if (signed) {
    const read = await readClientSigned(ctx, payer, input, signed);
    return createClientSignedTransfer(ctx, payer, read, { beforeCommit });
  }
  if (ctx.actor === "session") {
    throw new ApiError("invalid_request", "A session sends `client_signed` payments only.", { param: "client_signed" });
  }
  // Read in parallel with the receiver's look-up. Errors of the request itself come first.
  const payerRead = readPayer(ctx.chainId, payer);
  payerRead.catch(() => {});
  const asset = assetBySymbol(ctx.chainId, input.asset).address;
  const arrived = comesTo({ chainId: ctx.chainId, account: payer.address, asset });
  try {
    const payment = await readPayment(ctx, payer, input);
    return await payServerSigned(ctx, { ...payment, coming: { payer: payerRead, arrived } }, { beforeCommit });
  } finally {
    arrived();
  }
}

/** Signs and sends what a client with a home key has built, or holds what it has encrypted for the owner. */
async function payBlind(
  ctx: Context,
  payer: ContextAccount,
  input: CreateTransferInput,
  { document: unsigned, held, signature }: BlindPaymentInput,
  beforeCommit: BeforeCommit<CreatedTransfer>,
): Promise<CreatedTransfer> {
  if (unsigned) {
    const { document, sign } = await blindPayment(ctx, payer, unsigned, signature);
    const read = await readClientSigned(ctx, payer, input, document);
    return createClientSignedTransfer(ctx, payer, { ...read, sign }, { beforeCommit });
  }
  if (!held) throw new Error("a payment with a home key has a document or is held");
  const { asset: symbol, confidential } = input;
  const asset = assetBySymbol(ctx.chainId, symbol);
  const { to, address, details } = await readDetails(ctx, payer, asset, input);
  const { recipient } = await findReceiver(ctx.chainId, payer, address, confidential);
  const payment = { payer, recipient, to, asset, confidential, details, held, signature };
  return holdBlind(ctx, payment, beforeCommit);
}

/**
 * Returns the payment that a server-signed request asks for, with its receiver.
 *
 * @throws ApiError `invalid_request`, `recipient_not_found`, `recipient_not_confidential_ready`
 */
export async function readPayment(
  ctx: Context,
  payer: ContextAccount,
  input: CreateTransferInput,
): Promise<ServerSignedPayment> {
  const { amount = "", asset: symbol, confidential, memo } = input;
  const asset = assetBySymbol(ctx.chainId, symbol);
  const units = unitsOf(asset, amount);
  const { to, address, details } = await readDetails(ctx, payer, asset, input);
  const receiver = await findReceiver(ctx.chainId, payer, address, confidential);
  const binding = details.refund?.binding ?? (input.binding && fromHex(input.binding));
  const exact = input.exact ? { domain: await domainOfToken(ctx.chainId, asset.address) } : undefined;
  return { payer, asset, amount: units, receiver, confidential, to, memo, binding, details, exact };
}

async function readClientSigned(
  ctx: Context,
  payer: ContextAccount,
  input: CreateTransferInput,
  signed: SignedPayment,
): Promise<ClientSignedTransferInput> {
  const { to, address, details } = await readDetails(ctx, payer, assetBySymbol(ctx.chainId, input.asset), input);
  const { asset, confidential, lock_token } = input;
  return { to, address, asset, confidential, client_signed: signed, lock_token, details };
}

/** Returns the recipient and the details of a request. For a refund, the recipient is the account that paid. */
async function readDetails(ctx: Context, payer: ContextAccount, asset: Asset, input: CreateTransferInput) {
  const { to = "", refund_of, reference, unique_reference: uniqueReference, payment_request: paymentRequest } = input;
  const refund = refund_of === undefined ? undefined : await findRefund(ctx, payer, asset, { ...input, refund_of });
  const scheduleRun = runToPay(input.schedule_run);
  const details: DetailsToClaim = { reference, uniqueReference, refund, paymentRequest, scheduleRun };
  return { to: refund?.to ?? to, address: refund?.address ?? to, details };
}
