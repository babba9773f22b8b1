"use client";

import { Amount } from "@/components/ui/amount";
import { useVault } from "@/components/vault/vault-provider";
import { DoLink } from "./do-link";

/** What the budget holds, below an amount that is paid from it. */
export function BudgetHint({ budget, asset, agent }: { budget: string | undefined; asset: string; agent?: string }) {
  const { status, unlock } = useVault();
  const link = "font-medium text-ink underline underline-offset-2";
  if (status !== "unlocked") {
    return (
      <>
        Your budget is sealed.{" "}
        <button type="button" className={link} onClick={() => void unlock()}>
          Unlock
        </button>{" "}
        to see what it holds.
      </>
    );
  }
  return (
    <>
      Budget: <Amount value={budget} asset={asset} />.{" "}
      <DoLink act="allocate" parameters={{ asset, agent }} className={link}>
        Allocate more
      </DoLink>
    </>
  );
}
