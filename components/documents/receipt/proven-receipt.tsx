import { BadgeCheck } from "lucide-react";
import { Address } from "@/components/ui/address";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { Count } from "@/components/ui/count";
import { ExplorerLink, Fact } from "@/components/ui/fact";
import { FullAddress } from "@/components/ui/full-address";
import { UtcTime } from "@/components/ui/utc-time";
import type { VerifiedReceipt } from "@/sdk/payments/transfers/check-receipt";
import type { CheckableNetwork } from "./checkable-network";

/** A full address, to compare by eye. */
function Whole({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex items-start gap-1">
      <FullAddress value={value} />
      <CopyButton value={value} label={label} />
    </span>
  );
}

/** A receipt that the chain has confirmed. */
export function ProvenReceipt({ receipt, checkable }: { receipt: VerifiedReceipt; checkable: CheckableNetwork }) {
  const explorer = checkable.explorer && `${checkable.explorer}${receipt.tx_hash}`;
  return (
    <section
      aria-label="Verified receipt"
      className="overflow-hidden rounded-2xl border border-line bg-raised shadow-raised"
    >
      <div className="border-line border-b bg-success-soft px-5 py-3.5 sm:px-6">
        <p className="flex items-center gap-2 font-medium text-sm text-success">
          <BadgeCheck size={17} aria-hidden="true" />
          The chain confirms this payment
        </p>
      </div>
      <div className="px-5 pt-6 pb-3 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-semibold text-4xl tracking-tight">
            <Amount value={receipt.amount} asset={receipt.asset} />
          </p>
          <span className="flex gap-2">
            {receipt.final ? <Badge tone="success">Final</Badge> : <Badge tone="warning">Not final yet</Badge>}
            {receipt.network === "test" ? <Badge>Test network</Badge> : <Badge tone="live">Live network</Badge>}
          </span>
        </div>
        <dl className="mt-5 divide-y divide-line border-line border-t">
          <Fact name="From">
            <Whole value={receipt.from} label="payer's address" />
          </Fact>
          <Fact name="To">
            <Whole value={receipt.to} label="recipient's address" />
          </Fact>
          <Fact name="Paid">
            <UtcTime value={receipt.mined_at} />
          </Fact>
          <Fact name="Transaction">
            <span className="flex flex-wrap items-center gap-x-3">
              <Address value={receipt.tx_hash} label="transaction hash" />
              <span className="text-muted tabular-nums">
                block <Count value={Number(receipt.block)} />
              </span>
              {explorer && <ExplorerLink href={explorer} />}
            </span>
          </Fact>
        </dl>
      </div>
      <p className="border-line border-t px-5 py-4 text-pretty text-muted text-xs sm:px-6">
        {receipt.network === "test" && "Payments on the test network move no real money. "}
        {!receipt.final && "The chain could still undo its newest blocks: check again later. "}
        Checked in this browser against the chain at {new URL(checkable.rpcUrl).host}.
      </p>
    </section>
  );
}
