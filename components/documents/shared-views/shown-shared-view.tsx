"use client";

import { BadgeCheck, Download, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { Address } from "@/components/ui/address";
import { Amount, assetOfAll } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { saveFile } from "@/components/ui/save-file";
import { type Column, Table } from "@/components/ui/table";
import { Time, useReader, writtenTime } from "@/components/ui/time";
import type { CheckedSharedView, CheckedViewPayment } from "@/sdk/statements/shared-views/check-shared-view";

/** How many rows to render at a time: thousands at once are slow. */
const STEP = 200;
const WORDS = { in: "Received", out: "Sent", within: "Between its own accounts" } as const;
const SIGNS = { in: "+", out: "−", within: undefined } as const;

type Row = CheckedViewPayment & { place: number };

const columnsOf = (only: string | undefined): Column<Row>[] => [
  {
    name: "With",
    heading: true,
    cell: ({ name, direction, from, to }) => (
      <span className="min-w-0">
        <span className="block truncate font-medium">{name ?? <Address value={direction === "in" ? from : to} />}</span>
        <span className="block text-muted text-xs">{from === to ? "Deposit" : WORDS[direction]}</span>
      </span>
    ),
  },
  {
    name: "When",
    cell: ({ time }) =>
      time ? <Time value={time} className="whitespace-nowrap" /> : <span className="text-muted">–</span>,
  },
  {
    name: "Reference",
    cell: ({ reference, memo }) => <span className="wrap-anywhere text-muted">{reference ?? memo ?? "–"}</span>,
  },
  {
    name: only === undefined ? "Amount" : `Amount, ${only}`,
    align: "end",
    cell: ({ amount, asset, direction }) => (
      <Amount value={amount} asset={asset} sign={SIGNS[direction]} aligned={only !== undefined} />
    ),
  },
  {
    name: "Checked",
    align: "end",
    cell: ({ state, final, reason }) =>
      state === "refused" ? (
        <span className="grid justify-items-end gap-1">
          <Badge tone="danger">Not proven</Badge>
          <span className="max-w-56 text-pretty text-danger text-xs">{reason}</span>
        </span>
      ) : final ? (
        // Nearly all are: a color for each would hide those that are not.
        <span className="text-muted text-xs">Proven</span>
      ) : (
        <Badge tone="warning">Not final yet</Badge>
      ),
  },
];

/** An opened view with the result of each comparison. */
export function ShownSharedView({ view, checkable }: { view: CheckedSharedView; checkable: CheckableNetwork }) {
  const { locale } = useReader();
  const [most, setMost] = useState(STEP);
  const [unsaved, setUnsaved] = useState(false);
  const { payments, refused, totals, accounts, time_zone: zone, network } = view;
  const rows = payments.map((payment, place) => ({ ...payment, place }));
  // Mismatches come first, so that none hides on a later page.
  const sorted =
    refused > 0 ? rows.toSorted((a, b) => Number(a.state === "proven") - Number(b.state === "proven")) : rows;
  const save = () =>
    import("@/sdk/statements/shared-views/shared-view-csv").then(
      ({ sharedViewCsv }) => saveFile("payments.csv", "text/csv", sharedViewCsv(view)),
      () => setUnsaved(true),
    );
  const day = (at: Date) => writtenTime(at, "day", zone, locale);
  const [first, last] = [day(new Date(view.from)), day(new Date(new Date(view.to).getTime() - 1))];
  const period = first === last ? `${first}, in ${zone}` : `${first} to ${last}, days in ${zone}`;
  return (
    <div className="grid gap-4">
      {refused > 0 ? (
        <Callout
          tone="danger"
          title={`${refused} of ${payments.length} payments are not proven. Don't rely on this view.`}
        >
          They don't match the chain: something was changed. The totals count only what is proven.
        </Callout>
      ) : (
        <Callout
          tone="success"
          title={
            payments.length === 1
              ? "The chain confirms this payment."
              : `The chain confirms each of these ${payments.length} payments.`
          }
        >
          This doesn't prove that the list is complete.
        </Callout>
      )}
      {unsaved && <Callout tone="danger" title="The file was not made. Reload the page and try again." />}
      <Card
        flush
        title={<span className="wrap-anywhere">{view.title}</span>}
        description={`${accounts.map(({ name }) => name).join(", ")} · ${period}`}
        action={
          <span className="flex flex-wrap items-center gap-2">
            {network === "test" ? <Badge>Test network</Badge> : <Badge tone="live">Live network</Badge>}
            <Button size="small" icon={<Download size={14} aria-hidden="true" />} onClick={save}>
              CSV
            </Button>
          </span>
        }
      >
        <dl className="grid gap-x-8 gap-y-4 border-line border-t px-4 py-4 text-sm sm:grid-cols-2 sm:px-5">
          {totals.map(({ asset, paid_in, paid_out, payments: count }) => (
            <div key={asset}>
              <dt className="text-muted text-xs">
                {asset}, {count} proven {count === 1 ? "payment" : "payments"}
              </dt>
              <dd className="mt-1 flex flex-wrap gap-x-4 font-medium">
                <Amount value={paid_in} asset={asset} sign="+" />
                <Amount value={paid_out} asset={asset} sign="−" />
              </dd>
            </div>
          ))}
          <div>
            <dt className="text-muted text-xs">{accounts.length === 1 ? "Address" : "Addresses"}</dt>
            <dd className="mt-1 grid gap-1">
              {accounts.map(({ address, name }) => (
                <span key={address} className="flex flex-wrap gap-x-2">
                  <span className="wrap-anywhere">{name}</span>
                  <Address value={address} />
                </span>
              ))}
            </dd>
          </div>
          {view.counterparty && (
            <div>
              <dt className="text-muted text-xs">Only payments with</dt>
              <dd className="mt-1">
                <Address value={view.counterparty} />
              </dd>
            </div>
          )}
        </dl>
        <Table
          label="Shared payments"
          columns={columnsOf(assetOfAll(rows))}
          rows={sorted.slice(0, most)}
          rowKey={({ place }) => String(place)}
        />
        {sorted.length > most && (
          <div className="border-line border-t p-4 text-center">
            <Button onClick={() => setMost(most + STEP)}>Show more</Button>
          </div>
        )}
      </Card>
      <p className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-1.5 text-muted text-xs">
        <span className="mt-0.5">
          {refused > 0 ? <TriangleAlert size={13} aria-hidden="true" /> : <BadgeCheck size={13} aria-hidden="true" />}
        </span>
        <span>
          Checked in this browser against the chain at {new URL(checkable.rpcUrl).host}. This link ends on{" "}
          <Time value={view.expires_at} deadline />.
        </span>
      </p>
    </div>
  );
}
