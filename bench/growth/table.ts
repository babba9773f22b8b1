import { round } from "../measure";
import { type Measurement, type Pair, ratioOf } from "./judge";

/** A read, with what it takes in both databases. */
export interface Row extends Measurement {
  read: string;
  /** The plans of both databases, where they differ. */
  plan: "same" | { few: string[] | undefined; many: string[] | undefined };
  /** How it grows with the number of rows; null if it does not. */
  fault: string | null;
}

/** The head of a table of reads, in Markdown. */
export const HEAD =
  "| read | ms, few | many | ratio | CPU, few | many | ratio | blocks, few | many | plan |\n|---|---|---|---|---|---|---|---|---|---|";

/** Returns a read's line in the table. */
export function lineOf({ read, ms, cpu, blocks, plan, fault }: Row): string {
  const both = (pair: Pair) => pair.map(round).join(" | ");
  const compared = (pair: Pair) => `${both(pair)} | ${ratioOf(pair).toFixed(2)}`;
  const how = plan === "same" ? "same" : "different";
  return `| ${read} | ${compared(ms)} | ${compared(cpu)} | ${both(blocks)} | ${fault ? `${how}; ${fault}` : how} |`;
}
