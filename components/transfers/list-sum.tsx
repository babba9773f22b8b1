"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useVault } from "@/components/vault/vault-provider";

/** Loaded once something is to be added up. */
const Sums = dynamic(() => import("./sums").then((module) => module.Sums), { ssr: false });

/** What the transfers of the filters come to, once it is asked for: computed in this browser. */
export function ListSum({ query }: { query: Record<string, string | undefined> }) {
  const vault = useVault();
  const [asked, setAsked] = useState(false);
  if (asked && vault.reads) return <Sums query={query} />;
  return (
    <Button
      size="small"
      tone="ghost"
      onClick={() => (vault.reads ? setAsked(true) : void vault.unlock().then(setAsked))}
    >
      Add up
    </Button>
  );
}
