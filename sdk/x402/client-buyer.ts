import { toHex } from "@/lib/ledger/crypto/bytes";
import { getOnly } from "../api/require-same-id";
import type { DryRun } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { FileTexts } from "../context/platform/file-texts";
import type { TextStore } from "../context/text-store";
import { settled } from "../payments/attempts/transfer-status";
import { dryRun, sendByKey } from "../payments/send";
import type { Buyer, KeyedPayment, ServicePayments } from "./buyer";
import { prepareOffer } from "./prepare-offer";
import { sellerFetch } from "./seller-request";
import { EXACT } from "./wire";

/** Where a client stores payments until they are served, and how it reaches sellers. */
export interface BuyerPlace {
  offers: TextStore;
  /** Default: this machine's `fetch`. */
  fetch?: typeof fetch;
}

/** Loads what pays with a home key. Other calls have that code in their chunk. */
export type LoadBlind = () => Promise<{
  acceptedBlind(context: Context, payment: KeyedPayment): ReturnType<ServicePayments["pay"]>;
  dryRunBlind(context: Context, payment: Parameters<ServicePayments["dryRun"]>[0]): Promise<DryRun>;
}>;

/**
 * Returns a client as a buyer. It reaches sellers within the limits of the call.
 *
 * @param place a text is a folder of this machine
 */
export function clientBuyer(context: Context, place: string | BuyerPlace, loadBlind: LoadBlind): Buyer {
  const { offers, fetch: fetched }: BuyerPlace = typeof place === "string" ? { offers: new FileTexts(place) } : place;
  return {
    fetch: sellerFetch(context.call, fetched),
    offers,
    byService: context.hasApiKey ? paymentsByKey(context, loadBlind) : null,
    // An address is not secret, so what a wallet pays is named by its own keys.
    recordsOf: async () => (context.hasApiKey ? context.apiKey : toHex((await context.vault()).seedKey)),
    info: () => context.info(),
    scope: () => context.scope(),
    now: async () => (await context.chain()).now(),
    prepare: (...offer) => prepareOffer(context, ...offer),
  };
}

const paymentsByKey = (context: Context, loadBlind: LoadBlind): ServicePayments => ({
  pay: async (payment) =>
    (context.homeKey === undefined ? sendByKey : (await loadBlind()).acceptedBlind)(context, payment),
  dryRun: async (payment) => {
    if (context.homeKey === undefined) return dryRun(context, payment);
    // What a seller of the scheme `exact` takes, a blind key does not pay.
    return payment.exact ? undefined : (await loadBlind()).dryRunBlind(context, payment);
  },
  held: (id) => getOnly(context, "agents/transactions", "transaction_id", id),
  settled: (transfer_id) => settled(context, { transfer_id }),
  exact: (id) => getOnly(context, "transfers", "transfer_id", id, { include: EXACT }),
});
