import { checkInput } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { DryRun } from "../api/resources/transfers";
import type { Context } from "../context/context";
import type { TextStore } from "../context/text-store";
import { dryRun } from "../payments/send";
import { FileTexts } from "../platform/file-texts";
import { describeOffer, findOffer, type Offer, type PaidResponse, payingFetch } from "./paying-fetch";
import { PayingScheme } from "./paying-scheme";
import { type SellerRequest, sellerFetch, sellerRequest } from "./seller-request";

/** What a server asks for, and what the policy says of paying it. */
export interface Price {
  /** Null where nothing has to be paid that this network can pay. */
  price: Offer | null;
  policy?: DryRun;
}

/** A request to a seller, for which nothing is paid. */
export interface PriceInput extends SellerRequest {
  /** `USDG` when left out. */
  asset?: string | undefined;
}

/** A request to a seller, and what it may cost. */
export interface PayInput extends PriceInput {
  /** The highest price that is paid, as a decimal string of `asset`. */
  max: string;
  /** Pays even if an earlier payment for the same was not served. */
  again?: boolean | undefined;
}

function check(input: PriceInput & Partial<PayInput>): void {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const { headers: _headers, body: _body, ...rest } = isObject ? input : {};
  checkInput(isObject ? rest : input, { method: "text", asset: "text", max: "text", again: "flag" });
}

/** Where a buyer keeps payments that were not served yet, and how it reaches sellers. */
export interface BuyerPlace {
  offers: TextStore;
  /** This machine's `fetch` when left out. */
  fetch?: typeof fetch;
  /** Whose payments are remembered together, where API keys come and go. */
  payer?: string;
}

/** The place of a program: a folder of its machine. */
export function placeOf(place: string | BuyerPlace): BuyerPlace {
  return typeof place === "string" ? { offers: new FileTexts(place) } : place;
}

/** The scheme for buyers, which reaches sellers within the limits of the call. */
export async function buyerOf(context: Context, place: string | BuyerPlace): Promise<PayingScheme> {
  const { offers, fetch, payer } = placeOf(place);
  return new PayingScheme(context, sellerFetch(context.call, fetch), offers, payer).ready();
}

/** What `x402.pay` does. */
export async function pay(
  context: Context,
  place: string | BuyerPlace,
  url: string | URL,
  input: PayInput,
): Promise<PaidResponse> {
  check(input);
  const { max, asset = "USDG", again = false } = input;
  if (typeof max !== "string" || !/^\d{1,30}(\.\d{1,18})?$/.test(max)) {
    throw new HalcyonError("invalid_request", 'max is a decimal number as a text, such as "0.10".', { param: "max" });
  }
  const request = sellerRequest(url, input);
  const info = await context.info();
  return payingFetch(await buyerOf(context, place), info, request, { max, asset, again });
}

/** What `x402.price` does. */
export async function priceOf(
  context: Context,
  place: string | BuyerPlace,
  url: string | URL,
  input: PriceInput,
): Promise<Price> {
  check(input);
  const request = sellerRequest(url, input);
  const info = await context.info();
  const found = findOffer(await sellerFetch(context.call, placeOf(place).fetch)(request), info, input.asset ?? "USDG");
  if (!found) return { price: null };
  const price = describeOffer(found, request.url);
  // The wallet's own account has no policy that the service would ask.
  if (!context.hasApiKey) return { price };
  const { pay_to: to, amount, asset } = price;
  const publicly = price.public ? { public: true, exact: true } : {};
  return { price, policy: await dryRun(context, { to, amount, asset, ...publicly }) };
}
