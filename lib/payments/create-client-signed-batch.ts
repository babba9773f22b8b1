import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { CHAIN_ID } from "@/lib/base/network";
import type { SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { countPayment } from "./count-payment";
import { checkBatch, type RelayedPayment, relayBatch } from "./relay-batch";
import type { TransferView } from "./transfer-view";

/** Payments that the owner's client has proved together and signed. `payments` are in the order of the document. */
interface ClientSignedBatch {
  asset?: string | undefined;
  payments: readonly RelayedPayment[];
  client_signed: SignedTransferMany;
  lock_token?: string | undefined;
  /** The run of a schedule that they pay. */
  schedule_run?: string | undefined;
}

/**
 * Checks and relays 2 to 16 payments that the client has proved together, and records each like any other. If one of
 * them can't be paid, all are refused.
 *
 * @throws the errors of createClientSignedTransfer, naming the payment at fault
 */
export function createClientSignedBatch(ctx: SessionContext, input: ClientSignedBatch): Promise<TransferView[]> {
  const pay = async () => {
    const { chainId } = ctx;
    if (chainId === CHAIN_ID.live) await requireKyc(ctx);
    const { client_signed: document, payments, lock_token: lockToken, schedule_run: scheduleRun } = input;
    const asset = assetBySymbol(chainId, input.asset);
    checkBatch(ctx, asset, document, payments);
    return relayBatch(ctx, { asset, payments, document, lockToken, scheduleRun });
  };
  return countPayment(pay, () => "paid", input.payments.length);
}
