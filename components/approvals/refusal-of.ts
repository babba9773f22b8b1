import { messageOf } from "@/components/api/message-of";
import { unitsOf } from "@/components/money/units";
import { shortened } from "@/components/ui/address";
import type { OpenedHeld } from "@/components/vault/methods/held";
import type { FoundRecipient } from "@/sdk/payments/recipient";
import { type ApprovalAgent, isOwn, type WaitingPayment } from "./held-payment";
import { decimalsOf } from "./threshold";

/** Why a payment cannot be approved now, and what to do. `agent`: the remedy is with the agent, not a danger. */
export interface Refusal {
  title: string;
  remedy: string;
  agent: boolean;
}

const danger = (title: string, remedy: string): Refusal => ({ title, remedy, agent: false });

/** That the name leads elsewhere than when the agent asked, or than when this device paid it first. */
function misdirection(
  to: string,
  { recipient }: OpenedHeld,
  found: { data?: FoundRecipient; error: Error | null },
): Refusal | null {
  const { data, error } = found;
  if (error) {
    const code = "code" in error ? error.code : undefined;
    if (code === "recipient_not_found") {
      return danger(`No account is called ${to} any more.`, "Reject it, and ask the recipient for their new name.");
    }
    if (code === "invalid_request") return danger(`${to} is not who it was.`, messageOf(error));
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
 * What stands in the way of an approval, as this machine sees it; the service and the payment's own proof are asked
 * besides. Null: nothing that is known.
 */
export function refusalOf({
  entry,
  content,
  agent,
  recipient,
  budget,
}: {
  entry: Pick<WaitingPayment, "to" | "asset" | "agent" | "confidential">;
  content: OpenedHeld;
  agent: Pick<ApprovalAgent, "status"> | undefined;
  recipient: { data?: FoundRecipient; error: Error | null };
  /** What the agent can pay from, a decimal string. */
  budget: string | undefined;
}): Refusal | null {
  const { to, asset, agent: handle, confidential } = entry;
  if (content.amount === null) {
    return danger("This payment can't be decrypted.", "Your agent did not write it so. Reject it.");
  }
  const elsewhere = misdirection(to, content, recipient);
  if (elsewhere) return elsewhere;
  if (confidential && recipient.data && !recipient.data.ready) {
    return danger(`${to} cannot be paid in private.`, "Ask them to enrol on this network, or reject it.");
  }
  if (agent?.status === "ended") {
    return {
      title: `${handle} has ended.`,
      remedy: "Nothing pays from its balance any more. Reject it.",
      agent: true,
    };
  }
  if (agent?.status === "paused") {
    return {
      title: `${handle} is paused.`,
      remedy: "A paused agent pays nobody. Resume it, then approve.",
      agent: true,
    };
  }
  const decimals = decimalsOf(asset);
  if (budget !== undefined && unitsOf(content.amount, decimals) > unitsOf(budget, decimals)) {
    return {
      title: isOwn(entry)
        ? "Your available balance does not cover this."
        : `The available balance of ${handle} does not cover this.`,
      remedy: isOwn(entry) ? "Make more money available first, then approve." : "Fund it first, then approve.",
      agent: !isOwn(entry),
    };
  }
  return null;
}
