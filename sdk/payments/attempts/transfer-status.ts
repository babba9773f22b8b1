import { isAddressEqual, TransactionReceiptNotFoundError } from "viem";
import type { HalcyonError } from "../../api/errors";
import { requireSameId } from "../../api/require-same-id";
import type { HeldPayment, Transfer } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import { poll } from "../../context/operation";
import { TransferFailed } from "./transfer-failed";
import { type AcceptedTransfer, TransferNotFinal } from "./transfer-not-final";

/** What only the service says about a payment: its name for it, the payer's handle, and its own clock. */
type SaidByService = "transfer_id" | "from" | "created_at";

/**
 * A payment with its status on chain. `transfer_id`, `from` and `created_at` are what the service says, and null when
 * the chain shows the payment and the service does not list it. The rest of a client-signed payment, but for
 * `confirmed_at` and `payout`, is what this client built and what the chain shows.
 */
export type SettledTransfer = Omit<Transfer, SaidByService | "exact" | "encrypted" | "history"> & {
  [Name in SaidByService]: string | null;
};

/** A payment that is final on chain. */
export interface ConfirmedTransfer extends Transfer {
  status: "confirmed";
}

/** A new payment above its agent's approval threshold: its owner decides. No money has moved. */
export interface PaymentAwaitingApproval extends HeldPayment {
  status: "pending_approval";
}

/** Reads a transfer's current state from the service, with the API key or the wallet's session. */
export function readTransfer(context: Context, id: string, by: "key" | "session"): Promise<Transfer> {
  return requireSameId(
    "transfer_id",
    id,
    callApi<Transfer>(context, "GET", `/v1/transfers/${encodeURIComponent(id)}`, { by }),
  );
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
async function decidedTransfer(
  context: Context,
  accepted: AcceptedTransfer,
  isShown: (confirmed: Transfer) => Promise<boolean> = async () => true,
): Promise<Transfer> {
  let latest = accepted;
  const late = (cause?: HalcyonError) => {
    const why = latest.status === "confirmed" ? " The service calls it confirmed, but your node does not show it." : "";
    return new TransferNotFinal(latest, cause, `${why}${cause ? ` ${cause.message}` : ""}`);
  };
  const read = async () => {
    const now = await readTransfer(context, accepted.transfer_id, "key");
    latest = now;
    if (now.status === "pending") return undefined;
    return now.status === "failed" || (await isShown(now)) ? now : undefined;
  };
  return poll(context, "The transfer", read, late).catch((error: unknown) => {
    throw error instanceof TransferNotFinal ? error : late(toHalcyonError(error));
  });
}

/** Returns a server-signed transfer that is final on chain. */
function asConfirmed(final: Transfer): ConfirmedTransfer {
  return { ...final, status: "confirmed" };
}

/** What a client knows of a payment that it signed itself. */
type OwnTransfer = Pick<SettledTransfer, "status" | "to" | "asset" | "confidential" | "tx_hash"> &
  Partial<Pick<SettledTransfer, "reference" | "refund_of" | "checked" | "payment_request" | "schedule_run">>;

/**
 * Returns a client-signed payment: what the client built and the chain shows, and what the service says of the rest.
 *
 * @param listed the service's entry as it was accepted, if the service lists the payment
 * @param now the service's entry after the payment was final on chain
 */
export function ownTransfer(
  own: OwnTransfer,
  listed: Transfer | null | undefined,
  now?: Transfer | null,
): SettledTransfer {
  return {
    transfer_id: listed?.transfer_id ?? null,
    status: own.status,
    from: listed?.from ?? null,
    to: own.to,
    direction: "sent",
    asset: own.asset,
    confidential: own.confidential,
    tx_hash: own.tx_hash,
    created_at: listed?.created_at ?? null,
    confirmed_at: now?.confirmed_at ?? null,
    reference: own.reference ?? null,
    refund_of: own.refund_of ?? null,
    checked: own.checked ?? null,
    payment_request: own.payment_request ?? null,
    payout: listed?.payout ?? null,
    schedule_run: own.schedule_run ?? null,
  };
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
