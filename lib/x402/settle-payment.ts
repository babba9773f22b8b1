import { type Facilitated, type FacilitationInput, readFacilitation } from "./facilitation";
import { findPaid } from "./find-paid";
import { relayDocument, type Sender } from "./relay-document";

/** What was settled, with the network as the request names it. */
export interface Settled {
  network: string;
  found: Facilitated;
}

/**
 * Sends a payment that its payer has prepared, once however often it is asked (`POST /x402/settle`). Of one that was paid
 * before, it looks for the transaction. The seller waits for the block by itself.
 */
export async function settlePayment(input: FacilitationInput, sender: Sender): Promise<Settled> {
  const { network } = input.paymentRequirements;
  const asked = readFacilitation(input);
  if (!asked) return { network, found: { refusal: "invalid_payload" } };
  const found = await (asked.presented.mode === "paid" ? findPaid(asked) : relayDocument(asked, sender, false));
  return { network, found };
}

/** As x402 has it. */
export function toSettleResponse({ network, found }: Settled) {
  if ("refusal" in found) return { success: false, errorReason: found.refusal, transaction: "", network };
  return { success: true, payer: found.payer, transaction: found.transaction ?? "", network };
}
