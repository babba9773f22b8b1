import { isAddressEqual } from "viem";
import { agreedReceipt, eventsOf } from "@/lib/chain/ask/agreed-receipt";
import type { Facilitated, Facilitation } from "./facilitation";

/**
 * Finds a payment to the seller in a transaction, as anyone can see it: payer, payee and asset. Its amount and purpose
 * are visible only with the seller's viewing key.
 */
export async function findPaid({ chainId, payTo, asset, presented }: Facilitation): Promise<Facilitated> {
  if (presented.mode !== "paid") return { refusal: "invalid_payload" };
  const { transaction: hash } = presented;
  const receipt = await agreedReceipt(chainId, hash);
  if (!receipt || BigInt(receipt.status) !== 1n) return { refusal: "payment_not_found" };
  const paid = eventsOf(chainId, receipt)
    .filter((event) => event.eventName === "Transferred" || event.eventName === "Paid")
    .filter(({ args }) => isAddressEqual(args.to, payTo));
  if (paid.length === 0) return { refusal: "wrong_payee" };
  const inAsset = paid.find(({ args }) => isAddressEqual(args.asset, asset));
  return inAsset ? { payer: inAsset.args.account, transaction: hash } : { refusal: "wrong_asset" };
}
