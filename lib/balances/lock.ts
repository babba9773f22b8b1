import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { availableBalances, availableCommitments, availableStates } from "@/db/schema/ledger";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";

/** One available balance: an account's available balance of one asset. Addresses in lower case. */
export interface AvailableId {
  chainId: ChainId;
  account: Address;
  asset: Address;
}

const at = ({ chainId, account, asset }: AvailableId) =>
  and(
    eq(availableBalances.chainId, chainId),
    eq(availableBalances.account, account),
    eq(availableBalances.asset, asset),
  );

/**
 * Locks an available balance until the transaction ends, so that payments and moves to the available balance of one
 * account and asset run one after the other. Callers that lock two available balances must do so in address order.
 *
 * @returns the balance lock of the owner's client, and the milliseconds until it ends by the database's clock, which are
 *   negative once it has expired; or null
 */
export async function lockAvailable(tx: Tx, availableId: AvailableId): Promise<{ token: string; left: number } | null> {
  const left = sql<
    number | null
  >`extract(epoch from ${availableBalances.lockUntil} - clock_timestamp())::float8 * 1000`;
  const held = { token: availableBalances.lockToken, left };
  let [row] = await tx.select(held).from(availableBalances).where(at(availableId)).for("update");
  if (!row) {
    await tx.insert(availableBalances).values(availableId).onConflictDoNothing();
    [row] = await tx.select(held).from(availableBalances).where(at(availableId)).for("update");
  }
  return row?.token && row.left !== null ? { token: row.token, left: row.left } : null;
}

/** Matches the states of an available balance that have one of these statuses. */
export const statesAt = (
  { chainId, account, asset }: AvailableId,
  ...statuses: (typeof availableStates.status.enumValues)[number][]
) =>
  and(
    eq(availableStates.chainId, chainId),
    eq(availableStates.account, account),
    eq(availableStates.asset, asset),
    inArray(availableStates.status, statuses),
  );

/**
 * The state that the next payment spends from. `state` is null for the empty available balance, whose opening is
 * public.
 */
export interface NewestState {
  commitment: Hex;
  state: { encrypted: Hex; flag: Hex; secretVersion: number } | null;
  syncRequired: boolean;
  /** The operations that create this state, until it is final. What builds on the state must use the same relayer. */
  madeBy: string[];
}

/**
 * Returns the newest state, confirmed or not. Call it under the available balance's lock before building on the result.
 */
export async function newestState(tx: Pick<Tx, "select">, availableId: AvailableId): Promise<NewestState> {
  const { chainId, account, asset } = availableId;
  const [state] = await tx
    .select({
      commitment: availableStates.commitment,
      encrypted: availableStates.encrypted,
      flag: availableStates.flag,
      secretVersion: availableStates.secretVersion,
      status: availableStates.status,
      operationId: availableStates.operationId,
    })
    .from(availableStates)
    .where(statesAt(availableId, "pending", "final"))
    .orderBy(desc(availableStates.id))
    .limit(1);
  if (state) {
    const madeBy = state.status === "pending" && state.operationId ? [state.operationId] : [];
    return { commitment: state.commitment, state, syncRequired: false, madeBy };
  }
  const [final] = await tx
    .select({ commitment: availableCommitments.commitment })
    .from(availableCommitments)
    .where(
      and(
        eq(availableCommitments.chainId, chainId),
        eq(availableCommitments.account, account),
        eq(availableCommitments.asset, asset),
      ),
    );
  const commitment = final?.commitment ?? EMPTY_AVAILABLE_HEX;
  return { commitment, state: null, syncRequired: commitment !== EMPTY_AVAILABLE_HEX, madeBy: [] };
}

/**
 * Returns the error for an available balance whose final commitment is missing in the log: the owner changed it on
 * chain without the service.
 */
export function syncRequired(): ApiError {
  return new ApiError(
    "sync_required",
    "The available balance changed on chain without the service. Sync it: unlock the dashboard, or run `halcyon sync`. Then try again.",
  );
}
