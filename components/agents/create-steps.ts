"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";
import { useAttempt } from "@/components/money/use-attempt";
import { useVault } from "@/components/vault/vault-provider";
import { agentToSign } from "@/components/wallet/agent-to-sign";
import { signingFor } from "@/components/wallet/signing-for";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import type { Agent } from "@/sdk/api/resources/agents";

/** What the owner entered in the form. */
interface WantedAgent {
  name: string;
  policy: PolicyFields;
  /** USDG as a decimal string; null for no funding. */
  funding: string | null;
  /** The label of a first API key; null for no key. */
  key: string | null;
}

export type AgentStepName = "register" | "fund" | "key";
export type AgentStepState = "waiting" | "under way" | "done" | "left out" | { error: unknown };

/** The progress of a creation. `agent` is set once it is registered, `keyText` once its API key exists. */
export interface AgentCreation {
  wanted: WantedAgent;
  steps: { name: AgentStepName; standing: AgentStepState }[];
  agent?: Agent;
  keyText?: string;
}

function stepsOf({ funding, key }: WantedAgent): AgentStepName[] {
  return ["register", ...(funding === null ? [] : (["fund"] as const)), ...(key === null ? [] : (["key"] as const))];
}

/** Returns whether no step is left to do. */
export function isCreationOver({ steps }: AgentCreation): boolean {
  return steps.every(({ standing }) => standing === "done" || standing === "left out");
}

/** Registers an agent, funds it and creates its API key. A retry continues at the failed step and repeats nothing. */
export function useCreateAgent() {
  const vault = useVault();
  const network = useNetwork();
  const refresh = useRefresh();
  const queries = useQueryClient();
  const [creation, setCreation] = useState<AgentCreation>();
  // A retry is the same payment, so it can't fund the agent twice.
  const funding = useAttempt("send", { act: "fund", to: ({ to }) => to });

  const perform = async (name: AgentStepName, { wanted, agent }: AgentCreation): Promise<Partial<AgentCreation>> => {
    if (name === "register") {
      return {
        agent: await signingFor(agentToSign("register", wanted.name), () =>
          vault.run("createAgent", { name: wanted.name, spendPolicy: policyFields(wanted.policy) }),
        ),
      };
    }
    const handle = agent?.handle ?? "";
    if (name === "fund") {
      await funding.run({ to: handle, own: true, amount: wanted.funding ?? "", asset: "USDG" });
      return {};
    }
    return { keyText: (await vault.run("createKey", { label: wanted.key ?? "", agent: handle })).api_key };
  };

  const go = async (from: AgentCreation) => {
    let now = from;
    const mark = (name: AgentStepName, standing: AgentStepState, more: Partial<AgentCreation> = {}) => {
      const steps = now.steps.map((step) => (step.name === name ? { name, standing } : step));
      now = { ...now, ...more, steps };
      setCreation(now);
    };
    for (const { name, standing } of from.steps) {
      if (standing === "done" || standing === "left out") continue;
      mark(name, "under way");
      try {
        mark(name, "done", await perform(name, now));
      } catch (error) {
        mark(name, { error });
        break;
      }
    }
    void queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/v1/accounts/me/agents") });
    void queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/keys") });
    refresh();
  };

  return {
    creation,
    start: async (wanted: WantedAgent) => {
      // Unlock first, so that the steps run without interruption.
      if (!(await vault.unlock())) return;
      await go({ wanted, steps: stepsOf(wanted).map((name) => ({ name, standing: "waiting" })) });
    },
    again: () => creation && go(creation),
    /** Skips the failed step and continues with the next. */
    leaveOut: (name: AgentStepName) => {
      if (!creation) return;
      const steps = creation.steps.map((step) => (step.name === name ? { name, standing: "left out" as const } : step));
      const next = { ...creation, steps };
      setCreation(next);
      void go(next);
    },
    /** Goes back to the form. Possible only before the agent is registered. */
    reset: () => setCreation(undefined),
  };
}

/** Copies the policy for the request body, whose type is not read-only. */
function policyFields({ allowed_recipients, assets, limits, ...rest }: PolicyFields) {
  return { ...rest, allowed_recipients: [...allowed_recipients], assets: [...assets], limits: { ...limits } };
}
