"use client";

import { FileCheck2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { saveFile } from "@/components/ui/save-file";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { MadeReceipt } from "@/sdk/payments/transfers/receipt";
import type { TransferDetailsResource } from "./transfer-details";

/** Creates a receipt in this browser, to copy or save. Locking removes it from the screen. */
export function ReceiptButton({ transfer }: { transfer: TransferDetailsResource }) {
  const vault = useVault();
  const { busy, run } = useAsyncAction({ failed: "No receipt was made" });
  const [receipt, setReceipt] = useState<MadeReceipt>();
  if (receipt && vault.status === "locked") setReceipt(undefined);

  const make = () => run(async () => setReceipt(await vault.run("makeReceipt", transfer)));

  return (
    <>
      <Button tone="primary" busy={busy} icon={<FileCheck2 size={15} aria-hidden="true" />} onClick={make}>
        Create receipt
      </Button>
      <Dialog
        open={receipt !== undefined}
        onClose={() => setReceipt(undefined)}
        title="A receipt for this payment"
        description="Anyone with this link can prove that this payment had this amount. They need no account."
        footer={
          receipt && (
            <>
              <Button onClick={() => saveFile(`receipt-${transfer.transfer_id}.txt`, "text/plain", `${receipt.url}\n`)}>
                Download
              </Button>
              <CopyButton value={receipt.url} label="receipt link" text="Copy link" tone="primary" size="medium" />
            </>
          )
        }
      >
        {receipt && (
          <div className="grid gap-4">
            <Field label="Receipt link">
              {(control) => (
                <Input
                  {...control}
                  readOnly
                  value={receipt.url}
                  onFocus={(event) => event.currentTarget.select()}
                  className="font-mono sm:text-xs!"
                />
              )}
            </Field>
            <ul className="grid list-disc gap-1.5 pl-5 text-muted text-sm">
              <li>It shows the amount of this payment, both addresses and when. No other amount, and no balance.</li>
              <li>
                What follows # is never sent to a server, ours included.{" "}
                <a
                  href={receipt.url}
                  target="_blank"
                  rel="noreferrer"
                  className="text-accent underline underline-offset-4"
                >
                  See what others see
                </a>
                .
              </li>
            </ul>
            <Callout tone="warning">
              It cannot be taken back.
              {transfer.memo !== null &&
                " Together with the encrypted memo, which only the two sides and this service have, it also decrypts the memo."}
            </Callout>
          </div>
        )}
      </Dialog>
    </>
  );
}
