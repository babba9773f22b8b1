"use client";

import Link from "next/link";
import { useNetwork } from "@/components/shell/network-context";
import { Amount, type Opened } from "@/components/ui/amount";
import { useVault } from "@/components/vault/vault-provider";

const LINK = "font-medium text-ink underline underline-offset-2";

/**
 * What a budget holds, below an amount that is taken from it.
 *
 * @param agent its handle, where the budget is an agent's
 * @param waiting what others paid to that agent and is no budget yet
 */
export function BudgetLine({
  budget,
  asset,
  agent,
  waiting = "0",
}: {
  budget: Opened;
  asset: string;
  agent?: string;
  waiting?: string;
}) {
  const network = useNetwork();
  const { status, unlock } = useVault();
  const search = new URLSearchParams({ do: "allocate", asset, ...(agent && { agent }) });
  const allocate = `/${network}?${search}`;
  if (status !== "unlocked") {
    return (
      <>
        {agent ? "The agent's budget" : "Your budget"} is sealed.{" "}
        <button type="button" className={LINK} onClick={() => void unlock()}>
          Unlock
        </button>{" "}
        to see what it holds.
      </>
    );
  }
  return (
    <>
      {agent ? "The agent's budget" : "Your budget"}: <Amount value={budget} asset={asset} />.{" "}
      {!agent && (
        <Link href={allocate} className={LINK}>
          Allocate more
        </Link>
      )}
      {agent && waiting !== "0" && (
        <>
          Another <Amount value={waiting} asset={asset} /> came in:{" "}
          <Link href={allocate} className={LINK}>
            allocate it first
          </Link>
          .
        </>
      )}
    </>
  );
}
