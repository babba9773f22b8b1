import { sumOf } from "@/components/money/units";
import { decimalsOf } from "@/components/policy/decimals-of";
import { grouped } from "@/components/ui/amount";
import type { ExportedTransfer } from "@/sdk/transfers/transfers-csv";

/** What was sent and received of an asset, as decimal strings. */
export interface Sum {
  asset: string;
  sent: string;
  received: string;
}

type Row = Pick<ExportedTransfer, "status" | "kind" | "direction" | "asset" | "amount">;

/** What transfers come to, by asset. What failed moved nothing, and what moved within the account is not spent. */
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

/** Sums in words; what is zero is left out. */
export function sumWords(sums: readonly Sum[]): string[] {
  return sums.flatMap(({ asset, sent, received }) => [
    ...(sent === "0" ? [] : [`sent ${grouped(sent)} ${asset}`]),
    ...(received === "0" ? [] : [`received ${grouped(received)} ${asset}`]),
  ]);
}
