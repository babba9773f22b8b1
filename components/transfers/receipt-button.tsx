"use client";

import { FileCheck2 } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { saveFile } from "@/components/ui/save-file";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { MadeReceipt } from "@/sdk/transfers/receipt";
import type { TransferDetailsResource } from "./transfer-details";

/** Makes a receipt in this browser and hands it over. Locking takes it away again. */
export function ReceiptButton({ transfer }: { transfer: TransferDetailsResource }) {
  const vault = useVault();
  const { busy, run } = useAsyncAction({ failed: "No receipt was made" });
  const [made, setMade] = useState<MadeReceipt>();
  if (made && vault.status === "locked") setMade(undefined);

  const make = () => run(async () => setMade(await vault.run("makeReceipt", transfer)));

  return (
    <>
      <Button tone="primary" busy={busy} icon={<FileCheck2 size={15} aria-hidden="true" />} onClick={make}>
        Create receipt
      </Button>
      <Dialog
        open={made !== undefined}
        onClose={() => setMade(undefined)}
        title="A receipt for this payment"
        description="Anyone with this link can prove that this payment had this amount. They need no account."
        footer={
          made && (
            <>
              <Button onClick={() => saveFile(`receipt-${transfer.transfer_id}.txt`, "text/plain", `${made.url}\n`)}>
                Download
              </Button>
              <CopyButton value={made.url} label="receipt link" text="Copy link" className={buttonClass("primary")} />
            </>
          )
        }
      >
        {made && (
          <div className="grid gap-4">
            <Field label="Receipt link">
              {(control) => (
                <Input
                  {...control}
                  readOnly
                  value={made.url}
                  onFocus={(event) => event.currentTarget.select()}
                  className="font-mono text-xs"
                />
              )}
            </Field>
            <ul className="grid list-disc gap-1.5 pl-5 text-muted text-sm">
              <li>It shows the amount of this payment, both addresses and when. No other amount, and no balance.</li>
              <li>
                What follows # is never sent to a server, ours included.{" "}
                <a
                  href={made.url}
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
