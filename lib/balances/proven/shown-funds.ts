import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { shownFunds } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/base/context/context";
import type { ReplaceShownFundsInput } from "./schema";

/**
 * An account's record of what its proofs of funds have shown, encrypted for its owner. Version 0 means there is none.
 */
interface ShownFundsRecord {
  version: number;
  encrypted: Hex | null;
}

const NONE: ShownFundsRecord = { version: 0, encrypted: null };

/** Returns the account's record on the network. */
export async function readShownFunds({ account, chainId }: SessionContext): Promise<ShownFundsRecord> {
  const [row] = await db()
    .select({ version: shownFunds.version, encrypted: shownFunds.encrypted })
    .from(shownFunds)
    .where(and(eq(shownFunds.accountId, account.id), eq(shownFunds.chainId, chainId)));
  return row ?? NONE;
}

/**
 * Stores the account's next record, but only if the current one still has the version that the caller read. If two
 * devices write at once, the second one gets the first one's record instead.
 *
 * @returns whether the record was stored, and the current record
 */
export async function replaceShownFunds(
  ctx: SessionContext,
  { expected, version, encrypted }: ReplaceShownFundsInput,
  now = new Date(),
): Promise<{ taken: boolean; record: ShownFundsRecord }> {
  const { account, chainId } = ctx;
  const next = { version, encrypted, changedAt: now };
  const isMine = and(eq(shownFunds.accountId, account.id), eq(shownFunds.chainId, chainId));
  const shape = { version: shownFunds.version, encrypted: shownFunds.encrypted };
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
