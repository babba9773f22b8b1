/* The functions behind `halcyon.x402`, in one chunk that loads with the first call. */

export { buyerOf, payForResource, priceOf } from "./buy";
export { checkRefundRequest } from "./refund-request";
export { sellerOf } from "./seller-of";
