/* The functions behind `halcyon.x402`, in one chunk that loads with the first call. */

export { payForResource, priceOf, schemeOf } from "./buy";
export { clientBuyer } from "./client-buyer";
export { checkRefundRequest } from "./refund-request";
export { sellerOf } from "./seller-of";
