"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { unknownInWords } from "@/components/api/unknown-outcome";
import { useResource } from "@/components/api/use-resource";
import { ACT_WORDS } from "@/components/money/act-wording";
import { keepUnfinishedPayments } from "@/components/money/keep-unfinished-payments";
import { usePayments } from "@/components/money/payments-provider";
import { written } from "@/components/ui/amount";
import { BackLink } from "@/components/ui/back-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useCount } from "@/components/ui/count";
import { ErrorCallout } from "@/components/ui/error-callout";
import { PageHeader } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { decryptedKey, useDecrypted, useVault } from "@/components/vault/vault-provider";
import { signingEach } from "@/components/wallet/signing-for";
import type { PayoutResource } from "@/lib/payments/payouts/payout-resource";
import { takeApproved } from "./approved-now";
import { PayoutRows } from "./payout-rows";
import { batchToSign } from "./payout-to-sign";
import { PAYOUT_STATUS, pauseReason, paymentsIn, progressOf } from "./wording";

const WRAPS = "max-sm:h-auto! max-sm:min-h-11 max-sm:whitespace-normal max-sm:py-2";

const POLL_MS = 2_000;

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-1 text-sm">{children}</dd>
    </div>
  );
}

/** One payout: its progress, its rows and its actions. Paid from this browser while the page is open. */
export function PayoutDetail({ network, initial }: { network: string; initial: PayoutResource }) {
  const vault = useVault();
  const current = useNetwork();
  const counted = useCount();
  const client = useQueryClient();
  const id = initial.payout_id;
  const [paying, setPaying] = useState(false);
  const [asking, setAsking] = useState(false);
  const { data: payout = initial } = useResource<PayoutResource>(`/v1/payouts/${id}`, {
    initial,
    refetchInterval: ({ processing: POLL_MS, paused: POLL_MS, finished: false, cancelled: false } as const)[
      initial.status
    ],
  });
  const { error, isUnknown, run } = useAsyncAction();
  const { payments } = usePayments();
  const stopping = useRef<AbortController>(null);
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ predicate: resourceKeys.below(current, "/v1/payouts") }),
      client.invalidateQueries({ queryKey: decryptedKey(current, "decryptPayoutRows") }),
    ]);
  const pay = () =>
    run(async () => {
      setPaying(true);
      stopping.current = new AbortController();
      const { signal: stop } = stopping.current;
      try {
        await keepUnfinishedPayments(
          payments,
          { act: "payout", to: id, stop },
          async ({ onPending, onAccepted, signal }) => {
            const onProgress = () => {
              onAccepted();
              void refresh();
            };
            await signingEach((next) =>
              vault.run(
                "payPayout",
                { id },
                { onPending, onProgress, signal, onBatch: (batch) => next(batchToSign(batch)) },
              ),
            );
          },
        );
      } finally {
        setPaying(false);
        await refresh();
      }
    });
  // The payout was just approved in order to be paid, so paying starts by itself.
  const begin = useEffectEvent(() => {
    if (takeApproved(id) && initial.rows_pending > 0) void pay();
  });
  useEffect(() => begin(), []);
  // Rows that settle in the meantime show it too.
  const settled = payout.rows_paid + payout.rows_failed;
  const refreshRows = useEffectEvent(() => {
    void client.invalidateQueries({ queryKey: decryptedKey(current, "decryptPayoutRows") });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: refresh whenever a row settles
  useEffect(() => refreshRows(), [settled]);
  const cancel = async () => {
    // First: nothing more is signed, even if the service does not respond.
    stopping.current?.abort();
    await api(current).post(`/v1/payouts/${id}/cancel`);
    await refresh();
  };
  const open = payout.rows_pending > 0 && (payout.status === "processing" || payout.status === "paused");
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/payouts`}>Payouts</BackLink>}
        title={paymentsIn(payout, counted)}
        description={progressOf(payout, counted)}
        action={
          open && (
            <div className="flex flex-wrap gap-2">
              <Button data-early onClick={() => setAsking(true)}>
                Cancel
              </Button>
              <ContinueButton payout={payout} paying={paying} onContinue={pay} />
            </div>
          )
        }
      />
      <div className="grid gap-5">
        {error && payout.status !== "cancelled" && (
          <ErrorCallout isUnknown={isUnknown} failed="The payout stopped">
            {isUnknown
              ? unknownInWords(ACT_WORDS.payout)
              : `${error} What is paid stays paid, and no row is paid twice.`}
          </ErrorCallout>
        )}
        {payout.status === "paused" && !paying && !error && (
          <Callout tone="warning" title="Paused">
            {pauseReason(payout)}
          </Callout>
        )}
        <Card>
          <div className="grid gap-4">
            <Progress
              label={paying ? "Proving and sending payments in this browser" : "Settled on chain"}
              done={payout.rows_paid}
              total={payout.rows}
            />
            <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
              <Figure name="Status">
                <Badge tone={PAYOUT_STATUS[payout.status].tone}>{PAYOUT_STATUS[payout.status].name}</Badge>
              </Figure>
              <Figure name="On the way">{counted(payout.rows_sent)}</Figure>
              <Figure name="To be paid">{counted(payout.rows_pending)}</Figure>
              <Figure name="Created">
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
        keep="Keep paying"
        confirm={`Cancel ${payout.rows_pending === 1 ? "1 payment" : `${counted(payout.rows_pending)} payments`}`}
        onClose={() => setAsking(false)}
        onConfirm={cancel}
      >
        {payout.rows_pending === 1
          ? "The row that is not sent yet will not be paid."
          : `The ${counted(payout.rows_pending)} rows that are not sent yet will not be paid.`}{" "}
        Rows that were sent settle as usual.
      </ConfirmDialog>
    </>
  );
}

/** Pays the rest of a payout. Says first how much that is, so while the amounts are encrypted it only unlocks. */
function ContinueButton({
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
