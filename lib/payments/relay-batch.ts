import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { refuseDocument } from "@/lib/balances/check-document";
import type { Asset } from "@/lib/base/assets";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import type { SignedTransferMany, UnsignedBatch } from "@/lib/ledger/prepare/documents";
import { claimBatch, runToPay } from "./claim-details";
import { checkPayer } from "./create-client-signed-transfer";
import { isOwnMove } from "./find-payer";
import { findReceiver } from "./find-receiver";
import type { AroundPayment } from "./payment-transaction";
import { recordBatch } from "./record-transfer";
import { relayClientSigned } from "./relay-client-signed";
import type { TransferView } from "./transfer-view";

/** A payment of a batch, as the request names it. */
export interface RelayedPayment {
  to: string;
  reference?: string | undefined;
  unique_reference?: boolean | undefined;
  payment_request?: string | undefined;
}

/** Payments that a client has proved together. `payments` are in the order of the document. */
interface Batch {
  asset: Asset;
  payments: readonly RelayedPayment[];
  document: SignedTransferMany;
  lockToken?: string | undefined;
  /** The run of a schedule that they pay. */
  scheduleRun?: string | undefined;
  /** Signs the document, which a client with a home key has built without a signature. */
  sign?: (tx: Tx, party: LedgerParty) => Promise<Hex>;
}

/** Refuses a document of another payer or asset, and one with another number of payments. */
export function checkBatch(
  { account }: Pick<Context, "account">,
  asset: Asset,
  document: SignedTransferMany | UnsignedBatch,
  payments: readonly RelayedPayment[],
): void {
  checkPayer(document, account, asset);
  if (payments.length === document.payments.length) return;
  throw new ApiError("invalid_request", "Name the recipient of each payment of the document, in its order.", {
    param: "payments",
  });
}

/**
 * Checks and relays payments that share a proof, and records each like any other. If one of them can't be paid, all are
 * refused.
 *
 * @param before runs first in the transaction that records them
 * @throws the errors of createClientSignedTransfer, naming the payment at fault
 */
export async function relayBatch(
  ctx: Context,
  { asset, payments, document, lockToken, scheduleRun, sign }: Batch,
  around: AroundPayment<TransferView[]> = {},
  before: (tx: Tx) => Promise<void> = async () => {},
): Promise<TransferView[]> {
  const { chainId, account: payer } = ctx;
  const receivers = await Promise.all(payments.map(({ to }, index) => findPayee(ctx, to, index)));
  for (const [index, { recipient }] of receivers.entries()) {
    if (document.payments[index]?.to === recipient.address) continue;
    const message = "The document pays another address than `to` stands for. Pin the right one.";
    throw refuseDocument(`payments.${index}.to`, message);
  }
  const recipients = receivers.map(({ recipient }) => recipient);
  const claims = payments.map(({ reference, unique_reference: uniqueReference, payment_request }, index) => ({
    ctx,
    payment: { payer, recipient: recipients[index]?.address ?? "0x", asset: asset.address, confidential: true },
    details: { reference, uniqueReference, paymentRequest: payment_request, scheduleRun: runToPay(scheduleRun) },
  }));
  const details = claims.map((claim) => claim.details);
  return relayClientSigned(
    ctx,
    { chainId, payer, asset, recipients, document, isFree: false, details, lockToken, sign },
    async (tx, relayed, signed) => {
      await before(tx);
      const claimed = await claimBatch(tx, claims);
      const payees = recipients.map((recipient, index) => {
        return { recipient, to: payments[index]?.to ?? "", details: claimed[index] };
      });
      const after = receivers.find(({ key }) => key?.pending)?.recipient.address;
      const batch = { ...relayed, chainId, payer, payees, document: signed, after };
      const { operation, views } = await recordBatch(tx, batch);
      return { operation, created: views };
    },
    around,
  );
}

/**
 * Returns the recipient of the payment at `index` of a batch. Refuses the account's own agents, because moves between
 * an account and its agents are not payments.
 *
 * @throws the errors of findReceiver, naming the payment
 */
export async function findPayee(
  { chainId, account: payer }: Pick<Context, "chainId" | "account">,
  to: string,
  index: number,
): ReturnType<typeof findReceiver> {
  const param = `payments.${index}.to`;
  try {
    const receiver = await findReceiver(chainId, payer, to, true);
    if (!isOwnMove(payer, receiver.recipient)) return receiver;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.publicMessage, { param, retryAfter: error.retryAfter });
  }
  throw new ApiError("invalid_request", "Money moves between an account and its own agent by a payment of its own.", {
    param,
  });
}
