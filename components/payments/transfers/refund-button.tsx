"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { onDemand } from "@/components/ui/on-demand";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { Refundable } from "@/sdk/payments/refunds/refundable";
import type { TransferDetailsResource } from "./transfer-details";
import { actingAgent } from "./wording";

const RefundDialog = onDemand(() => import("./refund-dialog").then((module) => module.RefundDialog));

/** Offers to refund what is left of a received payment, computed in this browser. Locking removes the offer. */
export function RefundButton({ transfer }: { transfer: TransferDetailsResource }) {
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
