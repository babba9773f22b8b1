import { isAddressEqual, TransactionReceiptNotFoundError } from "viem";
import type { SealedTransfer } from "../api/api-types";
import type { HalcyonError } from "../api/errors";
import type { HeldPayment, Transfer } from "../api/resources/transfers";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";
import { poll } from "../context/operation";
import { TransferFailed } from "./transfer-failed";
import { type AcceptedTransfer, TransferNotFinal } from "./transfer-not-final";

/**
 * A payment with its status on chain. `transfer_id` and `created_at` are null when the chain shows the payment and the
 * service does not list it.
 */
export interface SettledTransfer extends Pick<Transfer, "status" | "to" | "confidential" | "tx_hash"> {
  transfer_id: string | null;
  created_at: string | null;
}

/** A payment that is final on chain. */
export interface ConfirmedTransfer extends SettledTransfer {
  status: "confirmed";
  transfer_id: string;
  created_at: string;
}

/** A new payment above its agent's approval threshold: its owner decides. No money has moved. */
export interface PaymentAwaitingApproval extends HeldPayment {
  status: "pending_approval";
}

async function readByKey(context: KeyContext, id: string): Promise<Transfer> {
  const response = await context.http.send("GET", `/v1/transfers/${id}`, { headers: context.bearer });
  return response.body as Transfer;
}

async function readBySession(context: Context, id: string): Promise<Transfer> {
  const session = await context.session();
  return session.get<SealedTransfer>(`/api/transfers/${encodeURIComponent(id)}`);
}

/** Reads a transfer's current state from the service, with the API key or the wallet's session. */
export function readTransfer(context: Context, id: string, by: "key" | "session"): Promise<Transfer> {
  return by === "key" ? readByKey(context, id) : readBySession(context, id);
}

/**
 * Reports whether a transaction of the ledger succeeded, according to the client's chain.
 *
 * @throws what the chain's RPC throws when the chain can't be read
 */
async function isMined(context: Context, hash: Transfer["tx_hash"]): Promise<boolean> {
  const chain = await context.chain();
  try {
    const { status, logs } = await chain.client.getTransactionReceipt({ hash });
    return status === "success" && logs.some(({ address }) => isAddressEqual(address, chain.ledger));
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return false;
    throw error;
  }
}

/**
 * Waits until the service reports a server-signed payment as confirmed or failed.
 *
 * @param isShown reports whether the chain also shows a payment that the service calls confirmed; polled until it does
 * @throws TransferNotFinal
 */
export async function decidedTransfer(
  context: KeyContext,
  accepted: AcceptedTransfer,
  isShown: (confirmed: Transfer) => Promise<boolean> = async () => true,
): Promise<Transfer> {
  let latest = accepted;
  const late = (cause?: HalcyonError) => {
    const why = latest.status === "confirmed" ? " The service calls it confirmed, but your node does not show it." : "";
    return new TransferNotFinal(latest, cause, `${why}${cause ? ` ${cause.message}` : ""}`);
  };
  const read = async () => {
    const now = await readByKey(context, accepted.transfer_id);
    latest = now;
    if (now.status === "pending") return undefined;
    return now.status === "failed" || (await isShown(now)) ? now : undefined;
  };
  return poll(context, "The transfer", read, late).catch((error: unknown) => {
    throw error instanceof TransferNotFinal ? error : late(toHalcyonError(error));
  });
}

/** Converts a confirmed transfer to the form that payments return. */
export function asConfirmed({ transfer_id, to, confidential, tx_hash, created_at }: Transfer): ConfirmedTransfer {
  return { transfer_id, status: "confirmed", to, confidential, tx_hash, created_at };
}

/**
 * Waits until a server-signed payment is final. The service's `failed` counts only if the chain does not show the
 * payment. If the client has its own RPC, the service's `confirmed` counts only once that node shows the payment too.
 *
 * @throws TransferFailed: no money moved; TransferNotFinal when it is unknown whether money moved
 */
export async function settled(context: Context, accepted: AcceptedTransfer): Promise<ConfirmedTransfer> {
  // A node that doesn't respond now, or lags behind the service's, may show it a moment later.
  const isShown = (now: Transfer) => isMined(context, now.tx_hash).catch(() => false);
  const final = await decidedTransfer(context, accepted, context.hasOwnRpc ? isShown : undefined);
  if (final.status !== "failed") return asConfirmed(final);
  const mined = await isMined(context, final.tx_hash).catch((error: unknown) => {
    const cause = toHalcyonError(error);
    throw new TransferNotFinal(
      final,
      cause,
      ` The service calls it failed, and that can't be checked: ${cause.message}`,
    );
  });
  if (mined) return asConfirmed(final);
  throw new TransferFailed(final);
}
