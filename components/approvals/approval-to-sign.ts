import type { DecryptedHeld } from "@/components/vault/methods/held";
import { actToSign } from "@/components/wallet/signing-for";
import { isOwnersPayment, type WaitingPayment } from "./held-payment";

/**
 * Returns what an approval pays, for the signature dialog. The wallet signs if a key of the account itself asked to pay
 * beyond its limits.
 *
 * @param shown what the person has seen; undefined if nothing was decrypted
 */
export function approvalToSign(
  held: Pick<WaitingPayment, "agent" | "asset" | "to" | "confidential">,
  shown: Pick<DecryptedHeld, "amount"> | undefined,
) {
  const { agent, asset, to, confidential } = held;
  const from = isOwnersPayment(held) ? undefined : agent;
  return actToSign(confidential ? "send" : "withdraw", { amount: shown?.amount ?? undefined, asset, from, to });
}
