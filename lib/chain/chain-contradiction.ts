import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";

/**
 * Thrown if a node's responses can't all be true, because it lags or several nodes respond in turn. Nothing is
 * concluded from such responses; the caller asks again later.
 */
export class ChainContradiction extends Error {
  constructor(what: string) {
    super(`the node's responses contradict each other: ${what}`);
    this.name = "ChainContradiction";
  }
}

/**
 * Returns the error for a read to which two providers respond differently. Logs what it was, because errors are logged
 * without their texts.
 *
 * @param what such as "the receipt of 0x…"; never an amount
 */
export function twoThatDiffer(chainId: ChainId, what: string): ChainContradiction {
  log().warn({ chainId, what }, "two providers differ");
  return new ChainContradiction(`two providers that differ in ${what}`);
}
