"use client";

import { useState } from "react";
import { holdingOf, isDecrypted } from "@/components/money/holdings";
import { leftAfter } from "@/components/money/units";
import { FUNDS } from "@/components/money/use-funds";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { type Column, Table } from "@/components/ui/table";
import { useDecrypted } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/base/money";
import type { PayoutRowInput } from "@/sdk/api/resources/payouts";
import type { PayoutFault } from "@/sdk/payments/payouts/find-faults";
import type { PayoutFile } from "@/sdk/payments/payouts/payout-file";
import { payoutTotals } from "@/sdk/payments/payouts/payout-totals";
import { readAs } from "./read-as";

/** What a payout moves, by asset, and what is then left to pay with. */
export function ReviewTotals({
  file,
  assets,
}: {
  file: PayoutFile;
  assets: readonly { symbol: string; decimals: Decimals }[];
}) {
  const funds = useDecrypted("funds", FUNDS);
  const { rows, unclear } = file;
  const unknown = new Set(unclear.map(({ row }) => row));
  // With an amount that could be another one, no total is known.
  const counted = rows.map((row, index) => (unknown.has(index + 1) ? { ...row, amount: "" } : row));
  const read = readAs(file);
  const leftOf = (asset: string, amount: string | null) => {
    const holding = holdingOf(funds.data, asset);
    const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals;
    if (!isDecrypted(holding) || amount === null || decimals === undefined) return undefined;
    return leftAfter(amount, holding.available, decimals);
  };
  return (
    <Card title="Total" description={rows.length === 1 ? "1 payment" : `${rows.length} payments`}>
      <ul className="grid gap-1">
        {payoutTotals(counted, assets).map(({ asset, amount, rows: count }) => (
          <li key={asset} className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-semibold text-xl">
              {amount === null ? (
                <span className="font-normal text-base text-muted">not known</span>
              ) : (
                <Amount value={amount} asset={asset} />
              )}
            </span>
            <span className="text-muted text-xs">
              {amount === null && `${asset}, `}
              {count === 1 ? "1 row" : `${count} rows`}
            </span>
            <Left value={leftOf(asset, amount)} asset={asset} />
          </li>
        ))}
      </ul>
      {read && <p className="mt-2 text-muted text-xs">{read}</p>}
    </Card>
  );
}

function Left({ value, asset }: { value: string | undefined; asset: string }) {
  if (value === undefined) return null;
  return (
    <span className="text-muted text-xs">
      <Amount value={value} asset={asset} /> of your available balance left after this
    </span>
  );
}

interface Shown {
  row: number;
  place: string;
  text: PayoutRowInput;
  faults: PayoutFault[];
}

const COLUMNS: Column<Shown>[] = [
  {
    name: "Recipient",
    heading: true,
    cell: ({ text, place, faults }) => (
      <span className="grid min-w-0">
        <span className="wrap-anywhere font-medium">{text.to || "No recipient"}</span>
        <span className="text-muted text-xs">{place}</span>
        {faults.map(({ param, message }) => (
          <span key={`${param}${message}`} className="text-danger text-xs">
            {message}
          </span>
        ))}
      </span>
    ),
  },
  { name: "Reference", cell: ({ text }) => text.reference ?? "–" },
  { name: "Memo", cell: ({ text }) => <span className="wrap-anywhere">{text.memo ?? "–"}</span> },
  {
    name: "Amount",
    align: "end",
    cell: ({ text, faults }) =>
      faults.some(({ param }) => param === "amount" || param === "asset") ? (
        <span className="text-danger">
          {text.amount} {text.asset ?? "USDG"}
        </span>
      ) : (
        <Amount value={text.amount} asset={text.asset ?? "USDG"} />
      ),
  },
];

const AT_ONCE = 50;

/** The rows of a file, those with errors first. */
export function ReviewRows({ file, faults }: { file: PayoutFile; faults: readonly PayoutFault[] }) {
  const [most, setMost] = useState(AT_ONCE);
  const of = new Map<number, PayoutFault[]>();
  for (const fault of faults) if (fault.row !== null) of.set(fault.row, [...(of.get(fault.row) ?? []), fault]);
  const all = file.rows.map((text, index) => {
    const row = index + 1;
    // The payout itself counts rows.
    const place = file.counts === "line" ? `Line ${file.lines[index]}, row ${row}` : `Row ${row}`;
    return { row, place, text, faults: of.get(row) ?? [] };
  });
  const rows = [...all.filter((one) => one.faults.length > 0), ...all.filter((one) => one.faults.length === 0)];
  return (
    <>
      <Table label="Rows" columns={COLUMNS} rows={rows.slice(0, most)} rowKey={({ row }) => String(row)} />
      {rows.length > most && (
        <div className="border-line border-t px-4 py-3 sm:px-5">
          <Button onClick={() => setMost(most + AT_ONCE)}>Show more of {rows.length} rows</Button>
        </div>
      )}
    </>
  );
}
