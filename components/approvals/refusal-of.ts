import { messageOf } from "@/components/api/message-of";
import { decimalsOf } from "@/components/money/decimals-of";
import { toUnits } from "@/components/money/units";
import { shortened } from "@/components/ui/address";
import type { DecryptedHeld } from "@/components/vault/methods/held";
import type { FoundRecipient } from "@/sdk/payments/recipient";
import { type ApprovalAgent, isOwnersPayment, type WaitingPayment } from "./held-payment";

/** Why a payment can't be approved now, and the remedy. `agent`: the remedy is with the agent, so this is no danger. */
export interface ApprovalRefusal {
  title: string;
  remedy: string;
  agent: boolean;
}

const danger = (title: string, remedy: string): ApprovalRefusal => ({ title, remedy, agent: false });

/**
 * Returns a refusal if the name now leads to another address than when the agent asked or when this device first paid
 * it.
 */
function misdirection(
  to: string,
  { recipient }: DecryptedHeld,
  found: { data?: FoundRecipient; error: Error | null },
): ApprovalRefusal | null {
  const { data, error } = found;
  if (error) {
    const code = "code" in error ? error.code : undefined;
    if (code === "recipient_not_found") {
      return danger(`No account is called ${to} any more.`, "Reject it, and ask the recipient for their new name.");
    }
    if (code === "invalid_request") return danger(`${to} is not the same account as before.`, messageOf(error));
    return danger("The recipient could not be looked up.", messageOf(error));
  }
  if (!data || !recipient || data.address.toLowerCase() === recipient.toLowerCase()) return null;
  return danger(
    `${to} now leads to another address.`,
    `Your agent asked to pay ${shortened(recipient)}; the name now stands for ${shortened(data.address)}. ` +
      "Reject it, and ask the recipient before you pay.",
  );
}

/**
 * Returns what prevents an approval, as far as this browser can see, or null. The service and the payment's proof check
 * again.
 */
export function refusalOf({
  entry,
  content,
  agent,
  recipient,
  available,
}: {
  entry: Pick<WaitingPayment, "to" | "asset" | "agent" | "confidential">;
  content: DecryptedHeld;
  agent: Pick<ApprovalAgent, "status"> | undefined;
  recipient: { data?: FoundRecipient; error: Error | null };
  /** The agent's available balance, a decimal string. */
  available: string | undefined;
}): ApprovalRefusal | null {
  const { to, asset, agent: handle, confidential } = entry;
  if (content.amount === null) {
    return danger("This payment can't be decrypted.", "Your agent did not write this. Reject it.");
  }
  const elsewhere = misdirection(to, content, recipient);
  if (elsewhere) return elsewhere;
  if (confidential && recipient.data && !recipient.data.ready) {
    return danger(`${to} cannot be paid privately.`, "Ask them to enroll on this network, or reject it.");
  }
  if (agent?.status === "ended") {
    return {
      title: `${handle} has ended.`,
      remedy: "Nothing can be paid from its balance any more. Reject it.",
      agent: true,
    };
  }
  if (agent?.status === "paused") {
    return {
      title: `${handle} is paused.`,
      remedy: "A paused agent can't pay. Resume it, then approve.",
      agent: true,
    };
  }
  const decimals = decimalsOf(asset);
  if (available !== undefined && toUnits(content.amount, decimals) > toUnits(available, decimals)) {
    return {
      title: isOwnersPayment(entry)
        ? "Your available balance does not cover this."
        : `The available balance of ${handle} does not cover this.`,
      remedy: isOwnersPayment(entry)
        ? "Make more money available first, then approve."
        : "Fund it first, then approve.",
      agent: !isOwnersPayment(entry),
    };
  }
  return null;
}
