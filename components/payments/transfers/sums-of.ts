import { decimalsOf } from "@/components/money/decimals-of";
import { sumOf } from "@/components/money/units";
import { written } from "@/components/ui/amount";
import type { ExportedTransfer } from "@/sdk/payments/transfers/transfers-csv";

/** What was sent and received in one asset, as decimal strings. */
interface Sum {
  asset: string;
  sent: string;
  received: string;
}

type Row = Pick<ExportedTransfer, "status" | "kind" | "direction" | "asset" | "amount">;

/** Returns the totals of transfers by asset. Leaves out failed transfers and those within the account. */
export function sumsOf(rows: readonly Row[]): { sums: Sum[]; counted: number; unreadable: number } {
  const moved = rows.filter(({ status, kind }) => status !== "failed" && kind !== "fund");
  const sums = (["USDG", "ETH"] as const).map((asset) => {
    const of = (direction: string) =>
      sumOf(
        moved.flatMap((row) => (row.asset === asset && row.direction === direction ? (row.amount ?? []) : [])),
        decimalsOf(asset),
      );
    return { asset, sent: of("sent"), received: of("received") };
  });
  return { sums, counted: moved.length, unreadable: moved.filter(({ amount }) => amount === null).length };
}

/** Returns totals in words, without those that are zero. */
export function sumWords(sums: readonly Sum[]): string[] {
  return sums.flatMap(({ asset, sent, received }) => [
    ...(sent === "0" ? [] : [`sent ${written(sent)} ${asset}`]),
    ...(received === "0" ? [] : [`received ${written(received)} ${asset}`]),
  ]);
}
