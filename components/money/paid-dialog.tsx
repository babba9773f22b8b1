"use client";

import type { ReactNode } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useVault } from "@/components/vault/vault-provider";
import type { ActState } from "./act-state";
import { TransferOutcome } from "./transfer-outcome";

/** What became of a payment the service has accepted. */
export function PaidDialog({
  title,
  paid,
  asset,
  onClose,
  more,
  children,
}: {
  title: string;
  /** How it ended. The chain alone may have shown that it was made, and then it may have no id. */
  paid: Extract<ActState<{ amount?: string }, { transfer_id: string | null }>, { at: "done" | "found" }>;
  asset: string;
  onClose: () => void;
  /** A button beside "Done". */
  more?: ReactNode;
  /** Whom it went to, after the amount. */
  children: ReactNode;
}) {
  const sealed = !useVault().reads;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          {more}
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <TransferOutcome id={paid.at === "done" ? paid.output.transfer_id : paid.transferId}>
        <span>
          <Amount value={paid.input.amount} asset={asset} sealed={sealed} className="font-semibold" /> {children}
        </span>
      </TransferOutcome>
    </Dialog>
  );
}
