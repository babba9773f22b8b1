import { and, asc, count, desc, eq, inArray, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { operations } from "@/db/schema/chain";
import { depositedBalances, notes, reservations } from "@/db/schema/ledger";
import type { AvailableId } from "./lock";

/** The deposited money and notes that pending moves to the available balance will use. */
interface Reserved {
  deposited: bigint;
  notes: Set<Hex>;
}

/** Returns what the account's pending moves to the available balance will use of an asset. */
export async function readReserved(tx: Tx, { chainId, account, asset }: AvailableId): Promise<Reserved> {
  const rows = await tx
    .select({ deposited: reservations.deposited, notes: reservations.notes })
    .from(reservations)
    .where(and(eq(reservations.chainId, chainId), eq(reservations.account, account), eq(reservations.asset, asset)));
  return {
    deposited: rows.reduce((sum, { deposited }) => sum + deposited, 0n),
    notes: new Set(rows.flatMap((row) => row.notes)),
  };
}

/** Returns the deposited money that is final and not reserved, in units. */
export async function availableDeposited(tx: Tx, availableId: AvailableId, reserved: Reserved): Promise<bigint> {
  const { chainId, account, asset } = availableId;
  const [row] = await tx
    .select({ units: depositedBalances.units })
    .from(depositedBalances)
    .where(
      and(
        eq(depositedBalances.chainId, chainId),
        eq(depositedBalances.account, account),
        eq(depositedBalances.asset, asset),
      ),
    );
  return (row?.units ?? 0n) - reserved.deposited;
}

// A literal, not a parameter: only then can a plan for all values use the index of unspent notes.
export const UNSPENT = sql`not ${notes.spent}`;

/** The place of a note's event on the chain. An event makes one note at most. */
export interface NotePlace {
  block: bigint;
  logIndex: number;
}

const unspentOf = ({ chainId, account, asset }: AvailableId) =>
  and(eq(notes.chainId, chainId), eq(notes.account, account), eq(notes.asset, asset), UNSPENT);

/**
 * Returns unspent notes that are not reserved, oldest first. If `commitments` is given, only notes among them; if
 * `after` is given, only notes behind it.
 */
export async function availableNotes(
  tx: Tx,
  availableId: AvailableId,
  reserved: Reserved,
  options: { commitments?: readonly Hex[]; after?: NotePlace | undefined; limit: number },
) {
  const { commitments, after } = options;
  const rows = await tx
    .select()
    .from(notes)
    .where(
      and(
        unspentOf(availableId),
        commitments && inArray(notes.note, [...commitments]),
        after && sql`(${notes.blockNumber}, ${notes.logIndex}) > (${after.block}::bigint, ${after.logIndex}::integer)`,
      ),
    )
    .orderBy(asc(notes.blockNumber), asc(notes.logIndex))
    .limit(options.limit + reserved.notes.size);
  return rows.filter(({ note }) => !reserved.notes.has(note)).slice(0, options.limit);
}

/** Returns the newest unspent note, reserved or not; null if there is none. */
export async function newestNote(tx: Tx, availableId: AvailableId): Promise<Hex | null> {
  const [row] = await tx
    .select({ note: notes.note })
    .from(notes)
    .where(unspentOf(availableId))
    .orderBy(desc(notes.blockNumber), desc(notes.logIndex))
    .limit(1);
  return row?.note ?? null;
}

const USES_NONCE = ["make_available", "set_payment_key", "set_guarded", "abandon"] as const;

/** Returns the account's next nonce on the ledger, counting operations that are still pending. */
export async function nextNonce(tx: Tx, { chainId, account }: Omit<AvailableId, "asset">): Promise<bigint> {
  const [record] = await tx
    .select({ nonce: ledgerAccounts.nonce })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, account)));
  const [pending] = await tx
    .select({ count: count() })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.account, account),
        sql`${operations.status} = 'pending'`,
        inArray(operations.kind, [...USES_NONCE]),
      ),
    );
  return (record?.nonce ?? 0n) + BigInt(pending?.count ?? 0);
}
