"use client";

import type { ReactNode } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Accepted } from "@/components/vault/methods/send";
import { useVault } from "@/components/vault/vault-provider";
import type { ActState } from "./act-state";
import { TransferOutcome } from "./transfer-outcome";

/** Shows the outcome of a payment that the service has accepted. */
export function PaidDialog({
  title,
  paid,
  asset,
  onClose,
  more,
  children,
}: {
  title: string;
  /** The final state. If only the chain has shown that the payment was made, it may have no id. */
  paid: Extract<ActState<{ amount?: string }, Accepted>, { at: "done" | "found" }>;
  asset: string;
  onClose: () => void;
  /** A button next to "Done". */
  more?: ReactNode;
  /** The recipient, shown after the amount. */
  children: ReactNode;
}) {
  const encrypted = !useVault().reads;
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
      <TransferOutcome
        id={paid.at === "done" ? paid.output.transfer_id : paid.transferId}
        pending={paid.at === "done" ? paid.output.pending : undefined}
      >
        <span>
          <Amount value={paid.input.amount} asset={asset} encrypted={encrypted} className="font-semibold" /> {children}
        </span>
      </TransferOutcome>
    </Dialog>
  );
}
