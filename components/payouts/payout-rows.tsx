"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Link } from "@/components/ui/link";
import { saveFile } from "@/components/ui/save-file";
import { type Column, Table } from "@/components/ui/table";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { ShownPayoutRow } from "@/components/vault/methods/payouts";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { payoutCsv } from "./payout-csv";
import { ROW_STATUS } from "./wording";

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

interface PayoutRowsProps {
  network: string;
  id: string;
  /** How many rows have failed: they can be looked at alone. */
  failed: number;
}

/** The rows of a payout, a page at a time, decrypted in this browser, and the export of all of them. */
export function PayoutRows({ network, id, failed }: PayoutRowsProps) {
  const vault = useVault();
  const saving = useAsyncAction();
  const [onlyFailed, setOnlyFailed] = useState(false);
  // The row after which each page up to this one begins.
  const [starts, setStarts] = useState([0]);
  const after = starts.at(-1) ?? 0;
  const { data, isPending, isError } = useOpened("openPayoutRows", { id, after, failed: onlyFailed });
  const rows = data?.rows ?? [];
  const save = () =>
    saving.run(async () => {
      saveFile(`payout-${id}.csv`, "text/csv", payoutCsv(await vault.run("exportPayoutRows", { id })));
    });
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
        <Button icon={<Download size={15} aria-hidden="true" />} busy={saving.busy} onClick={save}>
          Download result
        </Button>
      }
    >
      {saving.error && <p className="px-4 pb-4 text-danger text-sm sm:px-5">{saving.error}</p>}
      {(failed > 0 || onlyFailed) && (
        <div className="px-4 pb-4 sm:px-5">
          <Checkbox
            label="Only rows that failed"
            checked={onlyFailed}
            onChange={(on) => {
              setOnlyFailed(on);
              setStarts([0]);
            }}
          />
        </div>
      )}
      {rows.length === 0 ? (
        <p className="px-4 pb-5 text-muted text-sm sm:px-5">
          {isError ? "The rows can't be decrypted now. Reload the page." : isPending ? "Decrypting…" : "No rows."}
        </p>
      ) : (
        <Table label="Rows of the payout" columns={columns(network)} rows={rows} rowKey={({ row }) => String(row)} />
      )}
      {(starts.length > 1 || data?.hasMore) && (
        <nav aria-label="Pages" className="flex justify-between gap-2 border-line border-t px-4 py-3 sm:px-5">
          <Button disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
            Previous rows
          </Button>
          <Button disabled={!data?.hasMore} onClick={() => setStarts([...starts, rows.at(-1)?.row ?? after])}>
            Next rows
          </Button>
        </nav>
      )}
    </Card>
  );
}
