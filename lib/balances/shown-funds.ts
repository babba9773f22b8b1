import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { shownFunds } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/context/context";
import type { ReplaceShownFundsInput } from "./schema";

/** An account's record of what its proofs of funds have shown: only its owner reads it. Version 0: there is none. */
export interface ShownFundsRecord {
  version: number;
  sealed: Hex | null;
}

const NONE: ShownFundsRecord = { version: 0, sealed: null };

/** The account's record on the network. */
export async function readShownFunds({ account, chainId }: SessionContext): Promise<ShownFundsRecord> {
  const [row] = await db()
    .select({ version: shownFunds.version, sealed: shownFunds.sealed })
    .from(shownFunds)
    .where(and(eq(shownFunds.accountId, account.id), eq(shownFunds.chainId, chainId)));
  return row ?? NONE;
}

/**
 * Keeps the account's next record if the one before it is still the one that the caller read: of two devices at once,
 * the second one gets the record of the first.
 *
 * @returns whether it was taken, and the record there is now
 */
export async function replaceShownFunds(
  ctx: SessionContext,
  { expected, version, sealed }: ReplaceShownFundsInput,
  now = new Date(),
): Promise<{ taken: boolean; record: ShownFundsRecord }> {
  const { account, chainId } = ctx;
  const next = { version, sealed, changedAt: now };
  const isMine = and(eq(shownFunds.accountId, account.id), eq(shownFunds.chainId, chainId));
  const shape = { version: shownFunds.version, sealed: shownFunds.sealed };
  const [taken] =
    expected === 0
      ? await db()
          .insert(shownFunds)
          .values({ accountId: account.id, chainId, ...next })
          .onConflictDoNothing()
          .returning(shape)
      : await db()
          .update(shownFunds)
          .set(next)
          .where(and(isMine, eq(shownFunds.version, expected)))
          .returning(shape);
  return { taken: taken !== undefined, record: taken ?? (await readShownFunds(ctx)) };
}
