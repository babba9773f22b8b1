import { type Facilitated, type FacilitationInput, readFacilitation } from "./facilitation";
import { findPaid } from "./find-paid";
import { type DocumentSender, relayDocument } from "./relay-document";

/** Visible only with the seller's viewing key, so the service has not checked them. */
const UNSEEN = { unchecked: ["amount", "challenge"] };

/**
 * Checks what anyone can see of a payment over HTTP 402 (`POST /x402/verify`): that it is to the seller, in the asset,
 * and on chain, or else proved, signed and based on the payer's newest balance. Needs no viewing key and learns no
 * amount.
 */
export async function verifyPayment(input: FacilitationInput, sender: DocumentSender): Promise<Facilitated> {
  const asked = readFacilitation(input);
  if (!asked) return { refusal: "invalid_payload" };
  return asked.presented.mode === "paid" ? findPaid(asked) : relayDocument(asked, sender, true);
}

/** Serializes the result in x402's format. */
export function toVerifyResponse(found: Facilitated) {
  if ("refusal" in found) return { isValid: false, invalidReason: found.refusal };
  return { isValid: true, payer: found.payer, extra: UNSEEN };
}
