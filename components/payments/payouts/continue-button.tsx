"use client";

import { written } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { useCount } from "@/components/ui/count";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { PayoutResource } from "@/lib/payments/payouts/payout-resource";

const WRAPS = "max-sm:h-auto! max-sm:min-h-11 max-sm:whitespace-normal max-sm:py-2";

/** Pays the rest of a payout. Says first how much that is, so while the amounts are encrypted it only unlocks. */
export function ContinueButton({
  payout,
  paying,
  onContinue,
}: {
  payout: PayoutResource;
  paying: boolean;
  onContinue: () => void;
}) {
  const vault = useVault();
  const counted = useCount();
  const { payout_id: id, rows_pending: pending } = payout;
  const { data: left, isError } = useDecrypted("payoutLeft", { id, pending }, { enabled: !paying });
  if (paying) {
    return (
      <Button tone="primary" busy>
        Paying
      </Button>
    );
  }
  if (vault.status !== "unlocked") {
    return (
      <Button tone="primary" data-early onClick={() => void vault.unlock()}>
        Unlock to continue
      </Button>
    );
  }
  const total = left
    ?.flatMap(({ asset, amount }) => (amount === null ? [] : `${written(amount)} ${asset}`))
    .join(" and ");
  return (
    <Button tone="primary" busy={!left && !isError} onClick={onContinue} className={WRAPS}>
      Continue paying {pending === 1 ? "1 payment" : `${counted(pending)} payments`}
      {total && `, ${total}`}
    </Button>
  );
}
