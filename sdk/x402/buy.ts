import { checkInput } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { DryRun } from "../api/resources/transfers";
import type { Buyer } from "./buyer";
import { describeOffer, findOffer, type Offer, type PaidResponse, payingFetch } from "./paying-fetch";
import { PayingScheme } from "./paying-scheme";
import { type SellerRequest, sellerRequest } from "./seller-request";

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

/** Creates the scheme for buyers. */
export const schemeOf = (buyer: Buyer): Promise<PayingScheme> => new PayingScheme(buyer).ready();

/** Implements `x402.pay`. */
export async function payForResource(buyer: Buyer, url: string | URL, input: PayInput): Promise<PaidResponse> {
  check(input);
  const { max, asset = "USDG", again = false } = input;
  if (typeof max !== "string" || !/^\d{1,30}(\.\d{1,18})?$/.test(max)) {
    throw new HalcyonError("invalid_request", 'max is a decimal number as a text, such as "0.10".', { param: "max" });
  }
  const request = sellerRequest(url, input);
  return payingFetch(await schemeOf(buyer), await buyer.info(), request, { max, asset, again });
}

/** Implements `x402.price`. */
export async function priceOf(buyer: Buyer, url: string | URL, input: PriceInput): Promise<Price> {
  check(input);
  const request = sellerRequest(url, input);
  const info = await buyer.info();
  const found = findOffer(await buyer.fetch(request), info, input.asset ?? "USDG");
  if (!found) return { price: null };
  const price = describeOffer(found, request.url);
  // No policy of the service applies to the wallet's own account.
  if (!buyer.byService) return { price };
  const { pay_to: to, amount, asset } = price;
  const publicly = price.public ? ({ public: true, exact: true } as const) : {};
  const policy = await buyer.byService.dryRun({ to, amount, asset, ...publicly });
  return { price, ...(policy && { policy }) };
}
