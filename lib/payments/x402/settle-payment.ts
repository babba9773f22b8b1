import { type Facilitated, type FacilitationInput, readFacilitation } from "./facilitation";
import { findPaid } from "./find-paid";
import { type DocumentSender, relayDocument } from "./relay-document";

/** A settled payment, with the network as the request names it. */
interface Settled {
  network: string;
  found: Facilitated;
}

/**
 * Sends a payment that its payer has signed (`POST /x402/settle`), only once even if called repeatedly. If the
 * payment was already made, looks for its transaction. Does not wait for a block; the seller does that.
 */
export async function settlePayment(input: FacilitationInput, sender: DocumentSender): Promise<Settled> {
  const { network } = input.paymentRequirements;
  const asked = readFacilitation(input);
  if (!asked) return { network, found: { refusal: "invalid_payload" } };
  const found = await (asked.presented.mode === "paid" ? findPaid(asked) : relayDocument(asked, sender, false));
  return { network, found };
}

/** Serializes the result in x402's format. */
export function toSettleResponse({ network, found }: Settled) {
  if ("refusal" in found) return { success: false, errorReason: found.refusal, transaction: "", network };
  return { success: true, payer: found.payer, transaction: found.transaction ?? "", network };
}
