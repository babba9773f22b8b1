/* What `halcyon.x402` calls, in one piece that is loaded with the first call. */

export { FileTexts } from "../platform/file-texts";
export { buyerOf, pay, priceOf } from "./buy";
export { checkRefundRequest } from "./refund-request";
export { sellerOf } from "./seller-of";
