import type { OpenedHeld } from "@/components/vault/methods/held";
import { actToSign } from "@/components/wallet/signing-for";
import { isOwn, type WaitingPayment } from "./held-payment";

/**
 * What an approval pays, for the dialog of its signature: the wallet is asked where a key of the account itself pays
 * beyond its limits.
 *
 * @param shown what the person has been shown; undefined where nothing was decrypted
 */
export function approvalToSign(
  held: Pick<WaitingPayment, "agent" | "asset" | "to" | "confidential">,
  shown: Pick<OpenedHeld, "amount"> | undefined,
) {
  const { agent, asset, to, confidential } = held;
  const from = isOwn(held) ? undefined : agent;
  return actToSign(confidential ? "send" : "withdraw", { amount: shown?.amount ?? undefined, asset, from, to });
}
