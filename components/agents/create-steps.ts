"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";
import { useAttempt } from "@/components/money/use-attempt";
import { useVault } from "@/components/vault/vault-provider";
import type { PolicyFields } from "@/lib/policy/in-words";
import type { Agent } from "@/sdk/api/resources/agents";

/** What the form asks for. */
export interface Wanted {
  name: string;
  policy: PolicyFields;
  /** Decimal string of USDG; null for none. */
  funding: string | null;
  /** Label of a first key; null for none. */
  key: string | null;
}

export type StepName = "register" | "fund" | "key";
export type Standing = "waiting" | "under way" | "done" | "left out" | { error: unknown };

/** Where a creation stands. `agent` is there once it is registered, `keyText` once its key was created. */
export interface Creation {
  wanted: Wanted;
  steps: { name: StepName; standing: Standing }[];
  agent?: Agent;
  keyText?: string;
}

function stepsOf({ funding, key }: Wanted): StepName[] {
  return ["register", ...(funding === null ? [] : (["fund"] as const)), ...(key === null ? [] : (["key"] as const))];
}

/** Whether nothing is left to do. */
export function isOver({ steps }: Creation): boolean {
  return steps.every(({ standing }) => standing === "done" || standing === "left out");
}

/** Registers an agent, then funds it and makes its key; what failed is tried again without repeating what is done. */
export function useCreateAgent() {
  const vault = useVault();
  const network = useNetwork();
  const refresh = useRefresh();
  const queries = useQueryClient();
  const [creation, setCreation] = useState<Creation>();
  // Tried again it is the same payment: it cannot fund twice.
  const funding = useAttempt("send", { act: "fund", to: ({ to }) => to });

  const perform = async (name: StepName, { wanted, agent }: Creation): Promise<Partial<Creation>> => {
    if (name === "register") {
      return { agent: await vault.run("createAgent", { name: wanted.name, policy: policyFields(wanted.policy) }) };
    }
    const handle = agent?.handle ?? "";
    if (name === "fund") {
      await funding.run({ to: handle, amount: wanted.funding ?? "", asset: "USDG" });
      return {};
    }
    return { keyText: (await vault.run("createKey", { label: wanted.key ?? "", agent: handle })).api_key };
  };

  const go = async (from: Creation) => {
    let now = from;
    const mark = (name: StepName, standing: Standing, more: Partial<Creation> = {}) => {
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
    void queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/agents") });
    void queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/keys") });
    refresh();
  };

  return {
    creation,
    start: async (wanted: Wanted) => {
      // Asked first: the steps then run without a pause.
      if (!(await vault.unlock())) return;
      await go({ wanted, steps: stepsOf(wanted).map((name) => ({ name, standing: "waiting" })) });
    },
    again: () => creation && go(creation),
    /** Continues without the step that failed. */
    leaveOut: (name: StepName) => {
      if (!creation) return;
      const steps = creation.steps.map((step) => (step.name === name ? { name, standing: "left out" as const } : step));
      const next = { ...creation, steps };
      setCreation(next);
      void go(next);
    },
    /** Back to the form; only before the agent is there. */
    reset: () => setCreation(undefined),
  };
}

/** The body's own copy: what the API takes is not read-only. */
function policyFields({ allowed_recipients, assets, limits, ...rest }: PolicyFields) {
  return { ...rest, allowed_recipients: [...allowed_recipients], assets: [...assets], limits: { ...limits } };
}
