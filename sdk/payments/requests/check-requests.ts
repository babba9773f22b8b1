import { isAddressEqual, TransactionReceiptNotFoundError } from "viem";
import { formatAmount } from "@/lib/base/money";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { decodeLedgerLog, type LedgerLog } from "@/lib/ledger/ledger-events";
import { requestBinding } from "@/lib/ledger/payment-request/request-binding";
import type { TransferWithCopies } from "../../api/api-types";
import type { PaymentRequest, ReportPayment } from "../../api/resources/payment-requests";
import type { Chain } from "../../chain/chain";
import type { Context } from "../../context/context";
import { readTransferCopies } from "../transfers/encrypted-transfers";
import { openOwnRequest } from "./decrypt-request";
import { postReport, readRequest, readRequests } from "./request-calls";
import type { VerifiedRequest } from "./verify-request";

/** The result of checking a payment for a request. */
export interface CheckedRequestPayment {
  payment_request_id: string;
  transfer_id: string;
  reference: string | null;
  /** Null when the payment could not be checked now; `problem` says why. Nothing was reported. */
  finding: ReportPayment["finding"] | null;
  problem: string | null;
  /** The request's status afterwards. Ship when it is `paid`: then the chain shows a payment that covers it. */
  status: PaymentRequest["status"];
  /** Decimal strings; null when they could not be decrypted. */
  requested: string | null;
  paid: string | null;
}

/** The requests to check. */
export interface CheckRequestsInput {
  /** One request. Default: all requests that have a payment to check. */
  id?: string | undefined;
}

interface Found {
  finding: ReportPayment["finding"];
  paid: string | null;
}

/**
 * Returns the ledger's event of a payment to the payee, in the transaction that the service names; undefined if there
 * is none. What the event has counts: another copy would make the payment one that can't be decrypted.
 */
async function eventOf(chain: Chain, { terms }: VerifiedRequest, { note, tx_hash }: TransferWithCopies) {
  const receipt = await chain.client.getTransactionReceipt({ hash: tx_hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  });
  for (const log of receipt?.logs ?? []) {
    const args = isAddressEqual(log.address, chain.ledger) && decodeLedgerLog(log as unknown as LedgerLog)?.args;
    if (!args || !("to" in args) || !isAddressEqual(args.to, terms.payee)) continue;
    if (("note" in args ? args.note : null) === (note && hexToCommitment(note))) return args;
  }
  return undefined;
}

/** Decrypts a payment's note and compares it with the request. Returns null if the chain doesn't show it yet. */
async function find(context: Context, request: VerifiedRequest, transferId: string): Promise<Found | null> {
  const { terms, content, asset } = request;
  const [transfer, viewer, chain, { finality }] = await Promise.all([
    readTransferCopies(context, transferId),
    context.viewer(),
    context.chain(),
    context.info(),
  ]);
  const event = await eventOf(chain, request, transfer);
  if (!event) return null;
  if (!("note" in event) || !isAddressEqual(event.asset, asset.address)) return { finding: "unrelated", paid: null };
  const { note, recipientCiphertext } = event;
  if ((await chain.noteStatus(terms.payee, asset.address, note, finality)) === 0) return null;
  const place = { scope: terms.scope, account: terms.payee, asset: asset.address, commitment: note };
  const opened = await decryptRecipientCopy(viewer.viewingKey.secret, place, fromHex(recipientCiphertext));
  if (!opened) return { finding: "unrelated", paid: null };
  const paid = formatAmount(opened.amount, asset.decimals);
  if (!equalBytes(opened.binding, requestBinding(terms, content))) return { finding: "unrelated", paid };
  if (opened.amount === content.amount) return { finding: "exact", paid };
  return { finding: opened.amount > content.amount ? "overpaid" : "underpaid", paid };
}

const covers = (found: Found | null) => found?.finding === "exact" || found?.finding === "overpaid";

/** Reports whether the ledger shows that the payment by which the service calls a request paid covers it. */
export async function isCovered(context: Context, request: VerifiedRequest | null | undefined, paidBy: string | null) {
  return !!request && paidBy !== null && covers(await find(context, request, paidBy).catch(() => null));
}

async function checkOne(context: Context, request: PaymentRequest): Promise<CheckedRequestPayment[]> {
  const { payment_request_id, reference } = request;
  const toCheck = request.payments.filter(({ state, status }) => state === "unchecked" && status === "confirmed");
  if (toCheck.length === 0) return [];
  const own = await openOwnRequest(context, request);
  const checked: CheckedRequestPayment[] = [];
  let now = request;
  for (const { transfer_id } of toCheck) {
    const found = own?.verified ? await find(context, own.verified, transfer_id) : null;
    if (found) now = await postReport(context, payment_request_id, { transfer_id, finding: found.finding });
    const isDenied = now.status === "paid" && !covers(found) && !(await isCovered(context, own?.verified, now.paid_by));
    const unseen = own?.verified
      ? "The chain does not show this payment yet. Check again in a moment."
      : "The request can't be decrypted, or your account's payment key has not signed it. Look at the payment yourself.";
    const denied = "The service calls this request paid, and the chain shows no payment that covers it.";
    checked.push({
      ...{ payment_request_id, transfer_id, reference },
      status: isDenied ? "processing" : now.status,
      finding: found?.finding ?? null,
      problem: found ? (isDenied ? denied : null) : unseen,
      requested: own?.verified?.details.amount ?? null,
      paid: found?.paid ?? null,
    });
  }
  return checked;
}

/** Checks payments for requests. Implements `paymentRequests.check`. */
export async function checkRequests(context: Context, { id }: CheckRequestsInput): Promise<CheckedRequestPayment[]> {
  if (id !== undefined) return checkOne(context, await readRequest(context, id));
  const checked: CheckedRequestPayment[] = [];
  for (let after: string | undefined; ; ) {
    const query = { status: "processing", limit: 100, ...(after !== undefined && { starting_after: after }) };
    const page = await readRequests(context, query);
    for (const request of page.payment_requests) checked.push(...(await checkOne(context, request)));
    after = page.payment_requests.at(-1)?.payment_request_id;
    if (!page.has_more || after === undefined) return checked;
  }
}

/**
 * Checks payments repeatedly until the caller stops. Implements `paymentRequests.watch`.
 *
 * @param seconds between two checks
 */
export async function* watchRequests(context: Context, seconds: number): AsyncGenerator<CheckedRequestPayment> {
  for (;;) {
    for (const payment of await checkRequests(context, {})) if (payment.finding !== null) yield payment;
    await context.call.pause(1000 * seconds);
  }
}
