"use client";

import dynamic from "next/dynamic";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useVault } from "@/components/vault/vault-provider";

/** Loaded once there is something to draw. */
const Spend = dynamic(() => import("./spend-charts").then((module) => module.SpendCharts), {
  ssr: false,
  loading: () => <Skeleton className="h-64 rounded-lg!" />,
});

/**
 * What comes in and goes out by day, and what the account and its agents spend by month. Computed in this browser, so a locked vault shows nothing.
 *
 * @param payer handle of the agent to show; all payers if left out
 */
export function SpendCard({ payer }: { payer?: string }) {
  const { reads } = useVault();
  return (
    <Card title="Money in and out" description="Computed in this browser from decrypted amounts; nothing is sent.">
      {reads ? (
        <Spend payer={payer} />
      ) : (
        <p className="rounded-lg bg-sunken px-4 py-8 text-center text-muted text-sm">
          Unlock to see what {payer ? "the agent spends" : "you and your agents spend"}.
        </p>
      )}
    </Card>
  );
}
