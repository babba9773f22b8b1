"use client";

import { Amount, type DecryptedAmount } from "@/components/ui/amount";
import { useVault } from "@/components/vault/vault-provider";
import { DoLink } from "./do-link";

const LINK = "font-medium text-ink underline underline-offset-2";

/**
 * Shows an available balance below the field for an amount that is paid from it.
 *
 * @param agent its handle, if the available balance is an agent's
 * @param waiting what the agent received and its owner has not yet made available
 */
export function AvailableHint({
  available,
  asset,
  agent,
  waiting = "0",
}: {
  available: DecryptedAmount;
  asset: string;
  agent?: string;
  waiting?: string;
}) {
  const { status, unlock } = useVault();
  const whose = agent ? "The agent's available balance" : "Your available balance";
  if (status !== "unlocked") {
    return (
      <>
        {whose} is encrypted.{" "}
        <button type="button" className={LINK} onClick={() => void unlock()}>
          Unlock
        </button>{" "}
        to see it.
      </>
    );
  }
  return (
    <>
      {whose}: <Amount value={available} asset={asset} />.{" "}
      {!agent && (
        <DoLink act="make-available" parameters={{ asset }} className={LINK}>
          Make more available
        </DoLink>
      )}
      {agent && waiting !== "0" && (
        <>
          Another <Amount value={waiting} asset={asset} /> came in:{" "}
          <DoLink act="make-available" parameters={{ asset, agent }} className={LINK}>
            make it available first
          </DoLink>
          .
        </>
      )}
    </>
  );
}
