import { db } from "@/db/client";
import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { PolicyDecision } from "@/lib/policy/decide";
import type { PolicyRecipient } from "@/lib/policy/recipients";
import { simulate } from "@/lib/policy/simulate";
import { applyPatch } from "@/lib/policy/spend-policy";
import { findOwnAgent } from "./find-own-agent";
import { lockAgent } from "./lock-agent";
import type { SimulateInput } from "./schema";

/**
 * Returns how the agent's policy, with a draft's fields applied, would decide on payments made one after the other, on
 * days without any other spending. Nothing is changed, paid or recorded.
 *
 * @throws ApiError `not_found`, `not_agent_owner`, `recipient_not_found` naming the payment
 */
export async function simulatePolicy(
  ctx: Context,
  agentId: string,
  { spend_policy: draft = {}, payments }: SimulateInput,
  beforeCommit: BeforeCommit<PolicyDecision[]> = async () => {},
): Promise<PolicyDecision[]> {
  const agent = await findOwnAgent(ctx, agentId);
  const now = new Date();
  const acts = await Promise.all(
    payments.map(async ({ to, asset, amount, at = now, exact: isExact }, index) => {
      const { address, account } = await recipientOf(ctx, to, index);
      return { recipient: { address, handle: account?.handle ?? null }, asset, amount, at, isExact };
    }),
  );
  return db().transaction(async (tx) => {
    const { policy, status, resolved } = await lockAgent(tx, agent.id, "share");
    // Handles match only the addresses they resolved to when the policy was set. A draft's recipients are resolved when
    // it is set, so its handles match now.
    const isAnew = draft.allowedRecipients !== undefined || draft.publicPayments !== undefined;
    const isKnown = ({ address }: PolicyRecipient) =>
      isAnew || resolved === "anyone" || resolved.some((one) => one === address);
    const shown = acts.map((act) =>
      isKnown(act.recipient) ? act : { ...act, recipient: { ...act.recipient, handle: null } },
    );
    const decisions = simulate(applyPatch(policy, draft), status !== "active", shown);
    await beforeCommit(tx, decisions);
    return decisions;
  });
}

async function recipientOf({ chainId }: Context, to: string, index: number): Promise<Recipient> {
  try {
    return await resolveRecipient(chainId, to);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.publicMessage, { param: `payments.${index}.to` });
  }
}
