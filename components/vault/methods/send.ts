import type { Address, Hex } from "viem";
import { partyOf } from "@/sdk/account/party";
import type { Context } from "@/sdk/context/context";
import { OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { type SendCall, sendClientSigned } from "@/sdk/payments/send";
import type { Tools } from "./method";

/** An accepted payment. It is usually not final yet; `checkPayment` says what the chain shows. */
export interface Accepted {
  /** Null if the chain shows the payment and the service does not name it. */
  transfer_id: string | null;
  tx_hash: Hex;
  /** The record for `checkPayment`. */
  pending: PendingPayment;
}

/**
 * Returns the accepted payment.
 *
 * @throws OutcomeUnknown if neither the service nor the chain shows it
 */
export function accepted(
  response: { transfer_id?: string; tx_hash?: Hex } | null,
  seen: { tx_hash: Hex } | null,
  pending: PendingPayment,
): Accepted {
  const tx_hash = seen?.tx_hash ?? response?.tx_hash;
  if (!tx_hash) throw new OutcomeUnknown(pending);
  return { transfer_id: response?.transfer_id ?? null, tx_hash, pending };
}

/** Returns the wallet's address, or for an agent the address that is the wallet's agent according to the chain. */
async function ownAddress(context: Context, handle: string): Promise<Address> {
  return handle.includes("/") ? (await partyOf(context, handle)).address : context.wallet.address;
}

/** Prepares, proves and signs a payment in the worker, with the payment key. The wallet is not asked. */
export async function send(
  context: Context,
  {
    own,
    ...input
  }: Pick<
    SendCall,
    | "to"
    | "meant"
    | "amount"
    | "asset"
    | "memo"
    | "reference"
    | "uniqueReference"
    | "paymentRequest"
    | "binding"
    | "from"
    | "idempotencyKey"
    | "pending"
  > & {
    /** Whether `to` is the handle of the account or of one of its agents: pays no one else. */
    own?: boolean;
  },
  { onPending }: Tools,
): Promise<Accepted> {
  const meant = own ? await ownAddress(context, input.to) : input.meant;
  const { response, seen, pending } = await sendClientSigned(context, { ...input, meant, onPending });
  // An owner's own payment never awaits approval, so ignore a response that says it does.
  return accepted(response && "transaction_id" in response ? null : response, seen, pending);
}
