"use client";

import type { AgentSpending } from "@/components/vault/methods/agent-spending";
import { type DecryptedQuery, useDecrypted } from "@/components/vault/vault-provider";
import { type AgentSummary, shownAssets } from "./agent-summary";

/** Returns what the agents hold and have spent today, while the vault is unlocked. */
export function useAgentSpending(
  agents: readonly Pick<AgentSummary, "handle" | "policy">[],
): DecryptedQuery<AgentSpending[]> {
  const asked = agents.map(({ handle, policy }) => {
    return { handle, time_zone: policy.time_zone, assets: shownAssets(policy) };
  });
  return useDecrypted("agentSpending", { agents: asked }, { enabled: asked.length > 0 });
}
