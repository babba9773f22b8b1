/* The functions behind `halcyon.x402`, in one chunk that loads with the first call. */

import type { Context } from "../context/context";
import * as buy from "./buy";
import { type BuyerPlace, clientBuyer, type LoadBlind } from "./client-buyer";

export { checkRefundRequest } from "./refund-request";
export { sellerOf } from "./seller-of";

type Url = string | URL;

/** Returns what pays for a client. */
export const clientScheme = (context: Context, place: string | BuyerPlace, loadBlind: LoadBlind) =>
  buy.schemeOf(clientBuyer(context, place, loadBlind));

/** Pays for a client. */
export const clientPay = (
  context: Context,
  place: string | BuyerPlace,
  url: Url,
  input: buy.PayInput,
  loadBlind: LoadBlind,
) => buy.payForResource(clientBuyer(context, place, loadBlind), url, input);

/** Asks for a price for a client. */
export const clientPrice = (
  context: Context,
  place: string | BuyerPlace,
  url: Url,
  input: buy.PriceInput,
  loadBlind: LoadBlind,
) => buy.priceOf(clientBuyer(context, place, loadBlind), url, input);
