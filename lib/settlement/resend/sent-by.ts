import { and, eq } from "drizzle-orm";
import type { Address } from "viem";
import { outgoingTransactions } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";

/** Selects the transactions of a relayer. */
export function sentBy(chainId: ChainId, relayer: Address) {
  return and(eq(outgoingTransactions.chainId, chainId), eq(outgoingTransactions.relayer, relayer));
}
