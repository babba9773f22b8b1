import { type Hex, isAddressEqual } from "viem";
import { paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import type { SignedTransfer } from "@/lib/ledger/prepare/documents";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import { moneyEvents } from "../chain/ledger-events";
import type { Context } from "../context/context";
import { blockSince, SEARCH_SECONDS } from "../payments/attempts/earlier-attempt";
import { seededPayment, undecryptedSeed } from "../payments/attempts/undecrypted-seed";
import { prepareTransfer } from "../payments/prepare-transfer";
import type { PrepareTransferInput } from "../payments/prepare-transfer-input";
import type { Challenge } from "./challenge";

/** What pays an offer: a payment for the seller to send, or the transaction in which it already sent one. */
export type ClientSignedOffer =
  | { mode: "client_signed"; client_signed: SignedTransfer }
  | { mode: "paid"; transaction: Hex };

/**
 * Builds, proves and signs a payment on this machine, for the seller to send. All payments built under one key have the
 * same note, which the ledger accepts only once, so nothing is paid twice whichever of them the seller sends.
 *
 * @param mayBeSent whether an earlier one may be on chain
 * @throws HalcyonError `policy_violation` for an account under a policy
 */
export async function prepareOffer(
  context: Context,
  challenge: Challenge,
  asset: Asset,
  payment: PrepareTransferInput & { idempotencyKey: string },
  mayBeSent: boolean,
): Promise<ClientSignedOffer> {
  const sent = mayBeSent ? await sentBefore(context, challenge, asset, payment.idempotencyKey) : null;
  if (sent) return { mode: "paid", transaction: sent };
  const { client_signed: document } = await prepareTransfer(context, payment);
  if (document.kind === "transfer") return { mode: "client_signed", client_signed: document };
  const message = "A seller sends no payment of an account under a policy, or between your own. Use an API key.";
  throw new HalcyonError("policy_violation", `${message} Nothing was paid.`);
}

/** Returns the transaction in which this key's note was paid; null when the ledger does not have the note. */
async function sentBefore(context: Context, { payTo, amount }: Challenge, asset: Asset, id: string) {
  const [{ seedKey }, scope, chain] = await Promise.all([context.vault(), context.scope(), context.chain()]);
  const payer = context.wallet.address;
  const marks = { payer, asset: asset.address, seed: paymentSeed(seedKey, scope, payer, id) };
  const units = amount / asset.unit;
  const { seed } = await undecryptedSeed(context, seededPayment(scope, marks, { to: payTo, units }), {
    idempotencyKey: id,
  });
  const { commitment } = noteOf(seed, scope, payTo, asset.address, units);
  if ((await chain.noteStatus(payTo, asset.address, commitment)) === 0) return null;
  const from = await blockSince(context, SEARCH_SECONDS);
  const events = await moneyEvents(chain.client, chain.ledger, payTo, from, await chain.client.getBlockNumber());
  const ours = events.find(
    ({ eventName, args }) =>
      eventName === "Transferred" &&
      isAddressEqual(args.account, payer) &&
      isAddressEqual(args.to, payTo) &&
      args.note === commitment,
  );
  if (ours) return ours.transactionHash;
  throw new HalcyonError("unavailable", "Your chain has this payment and does not show its transaction. Try again.");
}
