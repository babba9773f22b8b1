"use client";

import dynamic from "next/dynamic";
import { useNetwork } from "@/components/api/network-context";
import { useVault } from "@/components/vault/vault-provider";
import { useStoredRules } from "./stored-rules";

/** Few browsers have rules, so what follows them is loaded only where there are some. */
const LowBalanceWatch = dynamic(() => import("./low-balance-watch").then((module) => module.LowBalanceWatch), {
  ssr: false,
});

/** Says on every page that an available balance is low, while it is unlocked and this browser has a rule for it. */
export function LowBalance({ address }: { address: string }) {
  const network = useNetwork();
  const vault = useVault();
  const sealed = useStoredRules(network, address);
  return sealed && vault.status === "unlocked" ? <LowBalanceWatch sealed={sealed} /> : null;
}
