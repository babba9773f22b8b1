"use client";

import { useNetwork } from "@/components/api/network-context";
import { onDemand } from "@/components/ui/on-demand";
import { useVault } from "@/components/vault/vault-provider";
import { useStoredRules } from "./stored-rules";

/** Few browsers have rules, so the watch is loaded only if there are some. */
const LowBalanceWatch = onDemand(() => import("./low-balance-watch").then((module) => module.LowBalanceWatch));

/** Warns on every page if an available balance is low, while unlocked and if this browser has a rule for it. */
export function LowBalance({ address }: { address: string }) {
  const network = useNetwork();
  const vault = useVault();
  const encrypted = useStoredRules(network, address);
  return encrypted && vault.status === "unlocked" ? <LowBalanceWatch encrypted={encrypted} /> : null;
}
