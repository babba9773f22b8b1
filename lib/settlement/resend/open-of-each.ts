import { and, eq, sql } from "drizzle-orm";
import { outgoingTransactions, relayers } from "@/db/schema/chain";

/**
 * How many open transactions of each relayer are looked at in one go. A limit for all relayers together would let one
 * that has run out of ether keep the others' from being looked at.
 */
export const OF_EACH = 100;

/** Selects the open transactions of a row of `relayers`. The states are constants, as in the index that finds them. */
export const openOfEach = and(
  eq(outgoingTransactions.chainId, relayers.chainId),
  eq(outgoingTransactions.relayer, relayers.address),
  sql`${outgoingTransactions.status} in ('signed', 'sent')`,
);
