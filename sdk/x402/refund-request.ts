import type { Address, Hex } from "viem";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { fromBase64UrlJson, toBase64UrlJson } from "./base64-url-json";
import { wasIssued } from "./challenge";
import { findPayment } from "./find-payment";
import { challengeFor } from "./verifier";
import { type PaymentRequirements, readExtra } from "./wire";

const PREFIX = "hrr1_";

/** The contents of a refund request: the offer, with the challenge that was paid, and the payment's transaction. */
export interface RefundableOffer {
  requirements: PaymentRequirements;
  transaction: Hex;
}

/**
 * Returns a text for the seller's support. It proves that its sender paid for a request, and for which one. It contains
 * the price and the challenge, which only buyer and seller know, so send it only to the seller.
 */
export function refundRequest({ requirements, transaction }: RefundableOffer): string {
  const { network, asset, amount, payTo, extra } = requirements;
  const { ledger, method, resource, nonce, expires, proof } = readExtra(extra) ?? {};
  const issued = { ledger, method, resource, nonce, expires, proof };
  return PREFIX + toBase64UrlJson({ network, asset, amount, payTo, extra: issued, transaction });
}

/** What a refund request proves to its seller. */
export interface CheckedRefundRequest {
  payer: Address;
  transaction: Hex;
  /** The payment's note, which is also in the seller's list of received payments and its record of accepted ones. */
  note: Hex;
  method: string;
  resource: string;
}

/**
 * Checks a refund request with the seller's viewing key: that the seller issued the challenge, and that the payment for
 * it is on chain.
 *
 * @throws HalcyonError `invalid_request` when either is not the case
 */
export async function checkRefundRequest(context: Context, text: string): Promise<CheckedRefundRequest> {
  const { requirements, transaction } = read(text);
  const extra = readExtra(requirements.extra);
  if (!extra) throw unreadable();
  const challenge = await challengeFor(context, requirements, extra);
  const viewer = await context.viewer();
  if (!wasIssued(viewer.viewingKey.secret, challenge, extra.proof)) {
    throw new HalcyonError("invalid_request", "This seller made no such offer.", { param: "refund_request" });
  }
  const { assets } = await context.info();
  const asset = assets.find(({ address }) => address === requirements.asset.toLowerCase());
  if (!asset) throw unreadable();
  const found = await findPayment(
    await context.chain(),
    viewer,
    { ...challenge, unit: asset.unit },
    transaction,
    "latest",
  );
  if (typeof found === "string") {
    throw new HalcyonError("invalid_request", `The chain shows no such payment (${found}).`, {
      param: "refund_request",
    });
  }
  return { ...found, transaction, method: extra.method, resource: extra.resource };
}

function read(text: string): RefundableOffer {
  try {
    if (!text.startsWith(PREFIX)) throw unreadable();
    const { transaction, ...terms } = fromBase64UrlJson(text.slice(PREFIX.length)) as Record<string, unknown>;
    const requirements = terms as unknown as PaymentRequirements;
    const texts = [requirements.asset, requirements.payTo, requirements.amount, transaction];
    if (!texts.every((value) => typeof value === "string") || !/^\d{1,78}$/.test(requirements.amount)) {
      throw unreadable();
    }
    if (!/^0x[0-9a-f]{64}$/i.test(String(transaction))) throw unreadable();
    return { requirements, transaction: transaction as Hex };
  } catch (error) {
    throw error instanceof HalcyonError ? error : unreadable();
  }
}

const unreadable = () =>
  new HalcyonError("invalid_request", "This is not a refund request. Copy all of it.", { param: "refund_request" });
