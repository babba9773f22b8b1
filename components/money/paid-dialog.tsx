"use client";

import type { ReactNode } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useVault } from "@/components/vault/vault-provider";
import { TransferOutcome } from "./transfer-outcome";

/** What became of a payment the service has accepted. */
export function PaidDialog({
  title,
  id,
  amount,
  asset,
  onClose,
  more,
  children,
}: {
  title: string;
  /** Of the transfer; null where the chain alone has shown that it was made. */
  id: string | null;
  amount: string | undefined;
  asset: string;
  onClose: () => void;
  /** A button beside "Done". */
  more?: ReactNode;
  /** Whom it went to, after the amount. */
  children: ReactNode;
}) {
  const sealed = useVault().status !== "unlocked";
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
      <TransferOutcome id={id}>
        <span>
          <Amount value={amount} asset={asset} sealed={sealed} className="font-semibold" /> {children}
        </span>
      </TransferOutcome>
    </Dialog>
  );
}
