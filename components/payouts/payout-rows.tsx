"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { saveFile } from "@/components/ui/save-file";
import { type Column, Table } from "@/components/ui/table";
import type { ShownPayoutRow } from "@/components/vault/methods/payouts";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { payoutCsv } from "./payout-csv";
import { ROW_STATUS } from "./wording";

const AT_ONCE = 50;

const columns = (network: string): Column<ShownPayoutRow>[] => [
  {
    name: "Recipient",
    heading: true,
    cell: ({ row, to, error }) => (
      <span className="grid min-w-0">
        <span className="wrap-anywhere font-medium">{to ?? "unreadable"}</span>
        <span className="text-muted text-xs">Row {row}</span>
        {error && <span className="text-danger text-xs">{error}</span>}
      </span>
    ),
  },
  { name: "Reference", cell: ({ reference }) => reference ?? "–" },
  {
    name: "Status",
    cell: ({ status, transferId }) => (
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={ROW_STATUS[status]?.tone ?? "neutral"}>{ROW_STATUS[status]?.name ?? status}</Badge>
        {transferId && (
          <Link href={`/${network}/transfers/${transferId}`} className="text-accent text-xs hover:underline">
            Transfer
          </Link>
        )}
      </span>
    ),
  },
  {
    name: "Amount",
    align: "end",
    cell: ({ amount, asset }) => <Amount value={amount} asset={asset ?? ""} />,
  },
];

/** The rows of a payout, decrypted in this browser, and their export. */
export function PayoutRows({ network, id }: { network: string; id: string }) {
  const vault = useVault();
  const { data: rows = [], isPending, isError } = useOpened("openPayoutRows", { id });
  const [most, setMost] = useState(AT_ONCE);
  const save = () => saveFile(`payout-${id}.csv`, "text/csv", payoutCsv(rows));
  if (vault.status !== "unlocked") {
    return (
      <Card title="Rows" description="Whom you pay and how much is encrypted.">
        <Button onClick={() => void vault.unlock()}>Unlock to see the rows</Button>
      </Card>
    );
  }
  return (
    <Card
      flush
      title="Rows"
      action={
        <Button icon={<Download size={15} aria-hidden="true" />} disabled={rows.length === 0} onClick={save}>
          Download result
        </Button>
      }
    >
      {rows.length === 0 ? (
        <p className="px-4 pb-5 text-muted text-sm sm:px-5">
          {isError ? "The rows can't be decrypted now. Reload the page." : isPending ? "Decrypting…" : "No rows."}
        </p>
      ) : (
        <Table
          label="Rows of the payout"
          columns={columns(network)}
          rows={rows.slice(0, most)}
          rowKey={({ row }) => String(row)}
        />
      )}
      {rows.length > most && (
        <div className="border-line border-t px-4 py-3 sm:px-5">
          <Button onClick={() => setMost(most + AT_ONCE)}>Show more of {rows.length} rows</Button>
        </div>
      )}
    </Card>
  );
}
