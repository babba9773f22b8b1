"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { shortened } from "@/components/ui/address";
import { BackLink } from "@/components/ui/back-link";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { onDemand } from "@/components/ui/on-demand";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { Refundable } from "@/sdk/payments/refunds/refundable";
import { Facts, type PaidWith } from "./facts";
import { TransferFailure } from "./failure";
import { ReceiptButton } from "./receipt-button";
import { TransferStatusBadge } from "./status-badge";
import { Timeline } from "./timeline";
import { detailsOf, type TransferDetailsResource, type TransferWithHistory } from "./transfer-details";
import { TransferAmount } from "./use-decrypted-transfer";
import { actingAgent, counterparty, movedWithin } from "./wording";

const RefundDialog = onDemand(() => import("./refund-dialog").then((module) => module.RefundDialog));

const POLL_MS = 2_000;

function title(transfer: TransferDetailsResource): string {
  const moved = movedWithin(transfer);
  const other = counterparty(transfer);
  const name = other.startsWith("0x") ? shortened(other) : other;
  if (moved) return moved.way === "to" ? `Moved to ${name}` : `Moved back from ${name}`;
  return transfer.direction === "sent" ? `Payment to ${name}` : `Payment from ${name}`;
}

/** One transfer: what, between whom, and its progress. Kept current until it is settled. */
export function TransferDetail({
  path,
  initial,
  explorer,
  paidWith,
}: {
  /** Path of the list. */
  path: string;
  initial: TransferWithHistory;
  explorer: string | null;
  paidWith: PaidWith | null;
}) {
  const [polling, setPolling] = useState(false);
  const { data = initial } = useResource<TransferWithHistory>(`/v1/transfers/${initial.transfer_id}`, {
    query: { include: "history" },
    initial,
    refetchInterval: polling ? POLL_MS : false,
  });
  const transfer = detailsOf(data);
  const pending = transfer.status === "pending";
  if (pending !== polling) setPolling(pending);
  const agent = actingAgent(transfer);
  return (
    <>
      <PageHeader
        back={<BackLink href={path}>Transfers</BackLink>}
        title={title(transfer)}
        description={
          <>
            {transfer.direction === "sent" ? "Sent" : "Received"}
            {agent && ` by your agent ${agent}`}, <Time value={transfer.created_at} />
          </>
        }
        action={
          transfer.kind === "transfer" &&
          transfer.status === "confirmed" && (
            <span className="flex flex-wrap gap-2">
              {transfer.refund_to && <RefundButton transfer={transfer} />}
              <ReceiptButton transfer={transfer} />
            </span>
          )
        }
      />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start lg:gap-6">
        <div className="grid gap-4">
          {transfer.status === "failed" && <TransferFailure transfer={transfer} />}
          <Card>
            <div className="flex flex-wrap items-center justify-between gap-3 pb-4">
              <TransferAmount transfer={transfer} className="font-semibold text-3xl tracking-tight" />
              <span aria-live="polite">
                <TransferStatusBadge status={transfer.status} />
              </span>
            </div>
            <div className="border-line border-t pt-1">
              <Facts transfer={transfer} path={path} explorer={explorer} paidWith={paidWith} />
            </div>
          </Card>
        </div>
        <Card title="Timeline">
          <Timeline transfer={transfer} />
        </Card>
      </div>
    </>
  );
}

/** Offers to refund what is left of a received payment, computed in this browser. Locking removes the offer. */
function RefundButton({ transfer }: { transfer: TransferDetailsResource }) {
  const vault = useVault();
  const toast = useToast();
  const { busy, run } = useAsyncAction({ failed: "The refundable amount is not known" });
  const [left, setLeft] = useState<Refundable>();
  if (left && vault.status === "locked") setLeft(undefined);
  const open = () =>
    run(async () => {
      const found = await vault.run("refundable", { transferId: transfer.transfer_id });
      if (found.left === "0") toast.success("Refunded in full", "There is nothing left to refund.");
      else setLeft(found);
    });
  return (
    <>
      <Button data-early busy={busy} icon={<Undo2 size={15} aria-hidden="true" />} onClick={open}>
        Refund
      </Button>
      {left && (
        <RefundDialog
          of={left}
          to={transfer.refund_to?.handle ?? transfer.from}
          from={actingAgent(transfer) ?? undefined}
          onClose={() => setLeft(undefined)}
        />
      )}
    </>
  );
}
