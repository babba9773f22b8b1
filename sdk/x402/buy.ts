import { checkInput } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { DryRun } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { FileTexts } from "../context/platform/file-texts";
import type { TextStore } from "../context/text-store";
import { dryRun } from "../payments/send";
import type { LoadBlind } from "./pay-offer";
import { describeOffer, findOffer, type Offer, type PaidResponse, payingFetch } from "./paying-fetch";
import { PayingScheme } from "./paying-scheme";
import { type SellerRequest, sellerFetch, sellerRequest } from "./seller-request";

/** What a server asks for a request, and what the policy says about paying it. */
export interface Price {
  /** Null when there is nothing to pay that this network can pay. */
  price: Offer | null;
  policy?: DryRun;
}

/** A request to a seller that must not pay. */
export interface PriceInput extends SellerRequest {
  /** Default: `USDG`. */
  asset?: string | undefined;
}

/** A request to a seller, and how much it may cost. */
export interface PayInput extends PriceInput {
  /** The highest price to pay, as a decimal string in `asset`. */
  max: string;
  /** Pays even if an earlier payment for the same request was not served. */
  again?: boolean | undefined;
}

function check(input: PriceInput & Partial<PayInput>): void {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const { headers: _headers, body: _body, ...rest } = isObject ? input : {};
  checkInput(isObject ? rest : input, { method: "text", asset: "text", max: "text", again: "flag" });
}

/** Where a buyer stores payments until they are served, and how it reaches sellers. */
export interface BuyerPlace {
  offers: TextStore;
  /** Default: this machine's `fetch`. */
  fetch?: typeof fetch;
  /** Groups payments that belong together, for a payer whose API keys change. Default: the API key or the wallet. */
  payer?: string;
}

/** Returns the buyer's place. A text is a folder of this machine. */
export function buyerPlace(place: string | BuyerPlace): BuyerPlace {
  return typeof place === "string" ? { offers: new FileTexts(place) } : place;
}

/** Creates the scheme for buyers. It reaches sellers within the limits of the call. */
export async function buyerOf(
  context: Context,
  place: string | BuyerPlace,
  loadBlind: LoadBlind,
): Promise<PayingScheme> {
  const { offers, fetch: fetched, payer } = buyerPlace(place);
  return new PayingScheme(context, sellerFetch(context.call, fetched), offers, loadBlind, payer).ready();
}

/** Implements `x402.pay`. */
export async function payForResource(
  context: Context,
  place: string | BuyerPlace,
  url: string | URL,
  input: PayInput,
  loadBlind: LoadBlind,
): Promise<PaidResponse> {
  check(input);
  const { max, asset = "USDG", again = false } = input;
  if (typeof max !== "string" || !/^\d{1,30}(\.\d{1,18})?$/.test(max)) {
    throw new HalcyonError("invalid_request", 'max is a decimal number as a text, such as "0.10".', { param: "max" });
  }
  const request = sellerRequest(url, input);
  const info = await context.info();
  return payingFetch(await buyerOf(context, place, loadBlind), info, request, { max, asset, again });
}

/** Implements `x402.price`. */
export async function priceOf(
  context: Context,
  place: string | BuyerPlace,
  url: string | URL,
  input: PriceInput,
): Promise<Price> {
  check(input);
  const request = sellerRequest(url, input);
  const info = await context.info();
  const found = findOffer(
    await sellerFetch(context.call, buyerPlace(place).fetch)(request),
    info,
    input.asset ?? "USDG",
  );
  if (!found) return { price: null };
  const price = describeOffer(found, request.url);
  // No policy of the service applies to the wallet's own account, and it can't try a payment with a blind key.
  if (!context.hasApiKey || context.homeKey !== undefined) return { price };
  const { pay_to: to, amount, asset } = price;
  const publicly = price.public ? { public: true, exact: true } : {};
  return { price, policy: await dryRun(context, { to, amount, asset, ...publicly }) };
}
