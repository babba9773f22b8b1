import { Address } from "@/components/ui/address";
import { CopyButton } from "@/components/ui/copy-button";
import { Count } from "@/components/ui/count";
import { ExplorerLink, Fact } from "@/components/ui/fact";
import { Link } from "@/components/ui/link";
import type { TransferDetailsResource } from "./transfer-details";
import { TransferMemo } from "./use-decrypted-transfer";

/** What a payment was made with, if this side may know. */
export interface PaidWith {
  keyId: string;
  /** The key's label and last four characters. */
  name: string;
  href: string;
}

function Party({ name, address }: { name: string; address: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {name.startsWith("@") && <span className="font-medium">{name}</span>}
      <Address value={address} className={name.startsWith("@") ? "text-muted" : undefined} />
    </span>
  );
}

/** The facts of a transfer, besides its amount. */
export function Facts({
  transfer,
  path,
  explorer,
  paidWith,
}: {
  transfer: TransferDetailsResource;
  /** Path of the list. */
  path: string;
  /** The transaction's page in a public explorer; null if there is none. */
  explorer: string | null;
  paidWith: PaidWith | null;
}) {
  const { kind, tx_hash, timeline } = transfer;
  return (
    <dl className="divide-y divide-line">
      <Fact name="From">
        <Party name={transfer.from} address={transfer.account} />
      </Fact>
      <Fact name="To">
        <Party name={transfer.to} address={transfer.recipient} />
      </Fact>
      <Fact name="Memo">
        <TransferMemo transfer={transfer} lines="all" />
      </Fact>
      {transfer.reference !== null && (
        <Fact name="Reference">
          <span className="wrap-anywhere">{transfer.reference}</span>
        </Fact>
      )}
      {transfer.refund_of !== null && (
        <Fact name="Refund of">
          <Link href={`${path}/${transfer.refund_of}`} className="font-medium text-accent underline underline-offset-4">
            {transfer.direction === "sent" ? "The payment you received" : "The payment you sent"}
          </Link>
        </Fact>
      )}
      {kind === "transfer" && transfer.refund_of === null && transfer.status === "confirmed" && (
        <Fact name="Refunds">
          <Link
            href={`${path}?refund_of=${transfer.transfer_id}`}
            className="font-medium text-accent underline underline-offset-4"
          >
            Show refunds of this payment
          </Link>
        </Fact>
      )}
      <Fact name="Amount on chain">
        {kind === "release" ? (
          <>
            Public <span className="block text-muted text-xs">Anyone can see this amount on chain.</span>
          </>
        ) : (
          <>
            Confidential <span className="block text-muted text-xs">Encrypted: only the two sides can decrypt it.</span>
          </>
        )}
      </Fact>
      {transfer.direction === "sent" && (
        <Fact name="Paid with">
          {paidWith ? (
            <>
              API key{" "}
              <Link href={paidWith.href} className="font-medium text-accent underline underline-offset-4">
                {paidWith.name}
              </Link>
            </>
          ) : (
            "The owner's wallet, in a browser or on a command line"
          )}
        </Fact>
      )}
      <Fact name="Transaction">
        <span className="flex flex-wrap items-center gap-x-3">
          <Address value={tx_hash} label="transaction hash" />
          {explorer && <ExplorerLink href={explorer} />}
          {timeline.mined && (
            <span className="text-muted tabular-nums">
              block <Count value={Number(timeline.mined.block)} />
            </span>
          )}
        </span>
      </Fact>
      <Fact name="Transfer ID">
        <span className="inline-flex items-center gap-0.5 wrap-anywhere font-mono text-[13px]">
          {transfer.transfer_id}
          <CopyButton value={transfer.transfer_id} label="transfer ID" />
        </span>
      </Fact>
    </dl>
  );
}
