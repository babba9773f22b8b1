"use client";

import { Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { Refundable } from "@/sdk/refunds/refundable";
import type { TransferDetailsResource } from "./transfer-details";
import { actingAgent } from "./wording";

const RefundDialog = dynamic(() => import("./refund-dialog").then((module) => module.RefundDialog), { ssr: false });

/** Offers what is left of a received payment for a refund, counted in this browser. Locking takes it away again. */
export function RefundButton({ transfer }: { transfer: TransferDetailsResource }) {
  const vault = useVault();
  const toast = useToast();
  const { busy, run } = useAsyncAction({ failed: "What is left to refund is not known" });
  const [left, setLeft] = useState<Refundable>();
  if (left && vault.status === "locked") setLeft(undefined);
  const open = () =>
    run(async () => {
      const found = await vault.run("refundable", { transferId: transfer.transfer_id });
      if (found.left === "0") toast.success("Refunded in full", "Nothing of this payment is left to refund.");
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
