"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { BackLink } from "@/components/ui/back-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { PageHeader } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { openedKey, useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { PayoutResource } from "@/lib/payouts/payout-resource";
import { PayoutRows } from "./payout-rows";
import { payoutToSign } from "./payout-to-sign";
import { progressOf, reasonOf, STATUS } from "./wording";

const POLL_MS = 2_000;

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-1 text-sm">{children}</dd>
    </div>
  );
}

/** One payout: its progress, its rows, and what there is to do. It is paid in this browser while the page is open. */
export function PayoutDetail({ network, initial }: { network: string; initial: PayoutResource }) {
  const vault = useVault();
  const current = useNetwork();
  const client = useQueryClient();
  const id = initial.payout_id;
  const [paying, setPaying] = useState(false);
  const [asking, setAsking] = useState(false);
  const { data: payout = initial } = useResource<PayoutResource>(`/api/payouts/${id}`, {
    initial,
    refetchInterval: ({ processing: POLL_MS, paused: POLL_MS, finished: false, cancelled: false } as const)[
      initial.status
    ],
  });
  const { error, run } = useAsyncAction();
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ predicate: resourceKeys.below(current, "/api/payouts") }),
      client.invalidateQueries({ queryKey: openedKey(current, "openPayoutRows") }),
    ]);
  const pay = () =>
    run(async () => {
      setPaying(true);
      try {
        const act = payoutToSign(await vault.run("exportPayoutRows", { id }));
        await signingFor(act, () => vault.run("payPayout", { id }, { onProgress: () => void refresh() }));
      } finally {
        setPaying(false);
        await refresh();
      }
    });
  // Approved a moment ago: paying is what the approval was for.
  const approved = useSearchParams().get("pay") === "1";
  const begun = useRef(false);
  const begin = useEffectEvent(() => {
    if (begun.current || !approved || initial.rows_pending === 0) return;
    begun.current = true;
    void pay();
  });
  useEffect(() => begin(), []);
  // What is settled meanwhile shows in the rows as well.
  const settled = payout.rows_paid + payout.rows_failed;
  const refreshRows = useEffectEvent(() => {
    void client.invalidateQueries({ queryKey: openedKey(current, "openPayoutRows") });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every row that settles
  useEffect(() => refreshRows(), [settled]);
  const cancel = async () => {
    await api(current).post(`/api/payouts/${id}/cancel`);
    await refresh();
  };
  const open = payout.rows_pending > 0 && (payout.status === "processing" || payout.status === "paused");
  const done = payout.rows_paid + payout.rows_failed + payout.rows_cancelled;
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/payouts`}>Payouts</BackLink>}
        title={payout.rows === 1 ? "1 payment" : `${payout.rows} payments`}
        description={progressOf(payout)}
        action={
          open && (
            <div className="flex flex-wrap gap-2">
              <Button data-early onClick={() => setAsking(true)}>
                Cancel
              </Button>
              <Button tone="primary" busy={paying} onClick={pay}>
                Continue
              </Button>
            </div>
          )
        }
      />
      <div className="grid gap-5">
        {error && (
          <Callout tone="danger" title="The payout stopped">
            {error} What is paid stays paid, and no row is paid twice.
          </Callout>
        )}
        {payout.status === "paused" && !paying && !error && (
          <Callout tone="warning" title="Paused">
            {reasonOf(payout)}
          </Callout>
        )}
        <Card>
          <div className="grid gap-4">
            <Progress
              label={paying ? "Proving and sending payments in this browser" : "Settled on chain"}
              done={done}
              total={payout.rows}
            />
            <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
              <Figure name="Status">
                <Badge tone={STATUS[payout.status].tone}>{STATUS[payout.status].name}</Badge>
              </Figure>
              <Figure name="On the way">{payout.rows_sent}</Figure>
              <Figure name="To be paid">{payout.rows_pending}</Figure>
              <Figure name="Accepted">
                <Time value={payout.created_at} />
              </Figure>
            </dl>
            {paying && <p className="text-muted text-xs">You can close this page. Open it again to continue.</p>}
          </div>
        </Card>
        <PayoutRows network={network} id={id} failed={payout.rows_failed} />
      </div>
      <ConfirmDialog
        open={asking}
        title="Cancel this payout?"
        confirm="Cancel payout"
        onClose={() => setAsking(false)}
        onConfirm={cancel}
      >
        The {payout.rows_pending} rows that are not sent yet are not paid any more. Those that were sent settle as
        usual.
      </ConfirmDialog>
    </>
  );
}
