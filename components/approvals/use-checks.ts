"use client";

import { useResource } from "@/components/api/use-resource";
import type { AssetSpending } from "@/components/vault/methods/agent-spending";
import { type DecryptedQuery, useDecrypted } from "@/components/vault/vault-provider";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import type { FoundRecipient } from "@/sdk/payments/recipient";
import { type ApprovalAgent, type HeldDetails, isOwnersPayment } from "./held-payment";
import { type ApprovalRefusal, refusalOf } from "./refusal-of";
import type { HeldContent } from "./use-held";

/** What this browser finds out about a payment before it is approved. `agent` is whose payment it is. */
export interface Checks {
  agent: ApprovalAgent | undefined;
  policy: PolicyFields | undefined;
  recipient: DecryptedQuery<FoundRecipient>;
  /** What the agent holds and has spent today; undefined while locked or decrypting. */
  spending: AssetSpending | undefined;
  refusal: ApprovalRefusal | null;
  /** Whether everything necessary is known and nothing prevents the approval. */
  approvable: boolean;
}

/** Looks up the recipient, reads the policy and decrypts the agent's available balance. */
export function useChecks(
  held: HeldDetails,
  { encrypted, content }: HeldContent,
  agents: readonly ApprovalAgent[],
): Checks {
  const waiting = held.status === "pending_approval";
  const agent = agents.find(({ handle }) => handle === held.agent);
  const rules = isOwnersPayment(held) ? "/api/limits" : (`/v1/agents/${agent?.account_id}/spend-policy` as const);
  const { data: policy } = useResource<PolicyFields>(rules, { enabled: agent !== undefined });
  const recipient = useDecrypted("recipient", { to: held.to }, { enabled: waiting });
  const { data: spendings } = useDecrypted(
    "agentSpending",
    { agents: [{ handle: held.agent, time_zone: policy?.time_zone ?? "UTC", assets: [held.asset] }] },
    { enabled: waiting && policy !== undefined },
  );
  const spending = spendings?.[0]?.assets[0];
  const refusal =
    waiting && content ? refusalOf({ entry: held, content, agent, recipient, available: spending?.available }) : null;
  const known = !encrypted && content !== undefined && recipient.data !== undefined;
  return { agent, policy, recipient, spending, refusal, approvable: waiting && known && refusal === null };
}
