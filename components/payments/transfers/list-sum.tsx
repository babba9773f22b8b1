"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { onDemand } from "@/components/ui/on-demand";
import { useVault } from "@/components/vault/vault-provider";

/** Loaded once someone asks for the total. */
const Sums = onDemand(() => import("./sums").then((module) => module.Sums));

/** The total of the filtered transfers, on request. Computed in this browser. */
export function ListSum({ query }: { query: Record<string, string | undefined> }) {
  const vault = useVault();
  const [asked, setAsked] = useState(false);
  if (asked && vault.reads) return <Sums query={query} />;
  return (
    <Button
      data-early
      size="small"
      tone="ghost"
      onClick={() => (vault.reads ? setAsked(true) : void vault.unlock().then(setAsked))}
    >
      Add up
    </Button>
  );
}
