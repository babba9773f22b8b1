import type { KeyScope, ScopePreset } from "@/lib/base/key-scopes";

/** The presets that the form offers. An agent's key can only pay and read; the rest is for the owner's keys. */
export const ACCESS_CHOICES: readonly { value: ScopePreset; name: string; agents: boolean }[] = [
  { value: "payments", name: "Payments", agents: true },
  { value: "read-only", name: "Read only", agents: true },
  { value: "operations", name: "Agents, approvals and webhooks", agents: false },
  { value: "full", name: "Everything", agents: false },
];

const OF_THE_ACCOUNT: Record<ScopePreset, string> = {
  payments: "It can spend your available balance and your agents', and read payments. It changes nothing else.",
  "read-only": "It can read payments, agents and webhooks, never an amount. It can't move money or change anything.",
  operations: "It can manage agents and webhooks and decide payments awaiting approval. Approving one moves money.",
  full: "It can spend your whole available balance, act for your agents and approve their payments.",
};

/** Returns what a key will be able to do, in a sentence. */
export function reachOf(preset: ScopePreset, agent: string): string {
  if (agent === "") return OF_THE_ACCOUNT[preset];
  if (preset === "read-only") return `It can read what ${agent} paid, never an amount, and can't move money.`;
  return `It can pay from ${agent} within its policy, and nothing else.`;
}

/** Returns what a listed key may do. It stands below the key's name, so it must not read like another one. */
export function accessOf({
  scopes,
  allowed_ips,
}: {
  scopes: readonly KeyScope[] | null;
  allowed_ips: unknown;
}): string {
  return `${scopes?.join(", ") ?? "All access"}${allowed_ips ? ", from listed addresses" : ""}`;
}
