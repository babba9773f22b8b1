import { type Facilitated, type FacilitationInput, readFacilitation } from "./facilitation";
import { findPaid } from "./find-paid";
import { relayDocument, type Sender } from "./relay-document";

/** What only the seller's viewing key shows, and so the service has not looked at. */
const UNSEEN = { unchecked: ["amount", "challenge"] };

/**
 * Checks of a payment over HTTP 402 what anyone can see (`POST /x402/verify`): that it is to the seller, in the asset, and on
 * chain, or proven, signed and over the payer's newest balance. It takes no viewing key and learns no amount.
 */
export async function verifyPayment(input: FacilitationInput, sender: Sender): Promise<Facilitated> {
  const asked = readFacilitation(input);
  if (!asked) return { refusal: "invalid_payload" };
  return asked.presented.mode === "paid" ? findPaid(asked) : relayDocument(asked, sender, true);
}

/** As x402 has it. */
export function toVerifyResponse(found: Facilitated) {
  if ("refusal" in found) return { isValid: false, invalidReason: found.refusal };
  return { isValid: true, payer: found.payer, extra: UNSEEN };
}
