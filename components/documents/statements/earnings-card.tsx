"use client";

import { Amount } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Count } from "@/components/ui/count";
import { type Column, Table } from "@/components/ui/table";
import type { Earnings, ResourceEarnings } from "@/sdk/x402/earnings";

const COLUMNS: Column<ResourceEarnings>[] = [
  {
    name: "Resource",
    heading: true,
    cell: ({ method, resource }) => (
      <span className="wrap-anywhere">
        <span className="mr-2 text-muted text-xs">{method}</span>
        <span className="font-medium">{resource}</span>
      </span>
    ),
  },
  {
    name: "Payments",
    align: "end",
    cell: ({ payments }) => <Count value={payments} className="tabular-nums" />,
  },
  { name: "Earned", align: "end", cell: ({ amount, asset }) => <Amount value={amount} asset={asset} sign="+" /> },
];

/** What each resource earned over HTTP 402 in a statement's period. */
export function EarningsCard({ earnings: { resources, unconfirmed } }: { earnings: Earnings }) {
  return (
    <Card
      flush
      title="Sold over HTTP 402"
      description="Payments of this period by the resource that they paid for, as their encrypted copies confirm."
    >
      {unconfirmed > 0 && (
        <div className="px-4 pb-4 sm:px-5">
          <Callout
            tone="info"
            title={unconfirmed === 1 ? "1 payment is left out" : `${unconfirmed} payments are left out`}
          >
            {unconfirmed === 1
              ? "Its memo names a resource that it did not pay for."
              : "Their memos name resources that they did not pay for."}
          </Callout>
        </div>
      )}
      {resources.length > 0 && (
        <Table
          label="Sold over HTTP 402"
          columns={COLUMNS}
          rows={resources}
          rowKey={({ method, resource, asset }) => `${method} ${resource} ${asset}`}
        />
      )}
    </Card>
  );
}
