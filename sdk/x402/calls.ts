/* What `halcyon.x402` calls, in one piece that is loaded with the first call. */

export { buyerOf, pay, priceOf } from "./buy";
export { checkRefundRequest } from "./refund-request";
export { sellerOf } from "./seller-of";
