import type { ReactNode } from "react";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/table";
import type { ShownPayoutRow } from "@/components/vault/methods/payouts";
import { ROW_STATUS } from "./wording";

/**
 * The columns of a payout's rows.
 *
 * @param linkTo renders the link to a row's transfer
 * @param only the asset of all rows, if they have the same
 */
export const payoutColumns = (
  linkTo: (transferId: string) => ReactNode,
  only: string | undefined,
): Column<ShownPayoutRow>[] => [
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
        {transferId && linkTo(transferId)}
      </span>
    ),
  },
  {
    name: only === undefined ? "Amount" : `Amount, ${only}`,
    align: "end",
    cell: ({ amount, asset }) => <Amount value={amount} asset={asset ?? ""} aligned={only !== undefined} />,
  },
];
