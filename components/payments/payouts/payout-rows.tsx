"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { assetOfAll } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Link } from "@/components/ui/link";
import { RetryCallout } from "@/components/ui/retry-callout";
import { saveFile } from "@/components/ui/save-file";
import { Table } from "@/components/ui/table";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import { payoutColumns } from "./payout-columns";
import { payoutCsv } from "./payout-csv";

interface PayoutRowsProps {
  network: string;
  id: string;
  /** How many rows have failed. They can be shown alone. */
  failed: number;
}

/** The rows of a payout, page by page, decrypted in this browser, with an export of all of them. */
export function PayoutRows({ network, id, failed }: PayoutRowsProps) {
  const vault = useVault();
  const saving = useAsyncAction();
  const [onlyFailed, setOnlyFailed] = useState(false);
  // For each page up to this one, the number of the row before it.
  const [starts, setStarts] = useState([0]);
  const after = starts.at(-1) ?? 0;
  const { data, error, isFetching, refetch } = useDecrypted("decryptPayoutRows", { id, after, failed: onlyFailed });
  const rows = data?.rows ?? [];
  const save = () =>
    saving.run(async () => {
      saveFile(`payout-${id}.csv`, "text/csv", payoutCsv(await vault.run("exportPayoutRows", { id })));
    });
  const linkTo = (transferId: string) => (
    <Link href={`/${network}/transfers/${transferId}`} className="text-accent text-xs hover:underline">
      Transfer
    </Link>
  );
  if (vault.status !== "unlocked") {
    return (
      <Card title="Rows" description="Whom you pay and how much is encrypted.">
        <Button data-early onClick={() => void vault.unlock()}>
          Unlock to see the rows
        </Button>
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
      {saving.error && (
        <div className="px-4 pb-4 sm:px-5">
          <Callout tone="danger" title="Nothing was saved">
            {saving.error}
          </Callout>
        </div>
      )}
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
      {error && (
        <div className="px-4 pb-4 sm:px-5">
          <RetryCallout title="The rows could not be decrypted." busy={isFetching} onRetry={refetch}>
            {messageOf(error)}
          </RetryCallout>
        </div>
      )}
      {rows.length === 0 ? (
        !error && <p className="px-4 pb-5 text-muted text-sm sm:px-5">{data ? "No rows." : "Decrypting…"}</p>
      ) : (
        <Table
          label="Rows of the payout"
          columns={payoutColumns(linkTo, assetOfAll(rows))}
          rows={rows}
          rowKey={({ row }) => String(row)}
        />
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
