"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button, type ButtonSize } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { Agent } from "@/sdk/api/resources/agents";
import type { AgentSummary } from "./agent-summary";

/**
 * Pauses an agent, or lets it pay again. Pausing loses nothing, so it needs neither a confirmation nor a signature.
 * Resuming needs the wallet's signature. Renders nothing for an ended agent.
 */
export function PauseAgent({
  agent,
  size = "small",
}: {
  agent: Pick<AgentSummary, "account_id" | "handle" | "status">;
  size?: ButtonSize;
}) {
  const network = useNetwork();
  const router = useRouter();
  const queries = useQueryClient();
  const toast = useToast();
  const vault = useVault();
  const verb = agent.status === "active" ? "pause" : "resume";
  const { busy, run } = useAsyncAction({ failed: verb === "pause" ? "It was not paused" : "It was not resumed" });
  const set = () =>
    run(async () => {
      try {
        if (verb === "pause") await api(network).post<Agent>(`/v1/agents/${agent.account_id}/pause`);
        else {
          const { agentToSign } = await import("@/components/wallet/agent-to-sign");
          await signingFor(agentToSign("resume", agent.handle), () =>
            vault.run("resumeAgent", { agent: agent.handle }),
          );
        }
        if (verb === "pause") toast.success("Agent paused", `${agent.handle} pays nothing until you resume it.`);
        else toast.success("Agent resumed", `${agent.handle} pays within its policy again.`);
      } finally {
        void queries.invalidateQueries({
          predicate: resourceKeys.below(network, "/v1/accounts/me/agents", "/v1/agents"),
        });
        router.refresh();
      }
    });
  if (agent.status === "ended") return null;
  const Icon = verb === "pause" ? Pause : Play;
  return (
    <Button data-early size={size} icon={<Icon size={14} aria-hidden="true" />} busy={busy} onClick={set}>
      {verb === "pause" ? "Pause" : "Resume"}
      <span className="sr-only"> {agent.handle}</span>
    </Button>
  );
}
