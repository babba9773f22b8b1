import { and, eq, gt } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";

/** The database was restored from a backup: payments were rebuilt from the chain, the keys of their requests are lost. */
export interface UnknownKeys {
  /** Until then an unknown key pays only when the tags of all rebuilt payments say that it has not paid. */
  until: Date;
  /** When payments of the account were last rebuilt. */
  rebuiltAt: Date | null;
}

/** Since when and until when keys of an account are unknown; null when they are not. */
export async function unknownKeys(
  at: Pick<Tx, "select">,
  { chainId, account }: Context,
  now = new Date(),
): Promise<UnknownKeys | null> {
  const [row] = await at
    .select({ until: accountNetworks.keysUnknownUntil, rebuiltAt: accountNetworks.rebuiltAt })
    .from(accountNetworks)
    .where(
      and(
        eq(accountNetworks.accountId, account.rootId),
        eq(accountNetworks.chainId, chainId),
        gt(accountNetworks.keysUnknownUntil, now),
      ),
    );
  return row?.until ? { until: row.until, rebuiltAt: row.rebuiltAt } : null;
}

/**
 * Refuses in the transaction that pays what was found out before it, if payments were rebuilt in between.
 *
 * @param known what `unknownKeys` said before
 * @throws what `refusal` makes
 */
export async function requireNothingRebuilt(
  tx: Tx,
  ctx: Context,
  known: UnknownKeys | null,
  refusal: (until: Date) => ApiError,
): Promise<void> {
  const now = await unknownKeys(tx, ctx);
  if (now && now.rebuiltAt?.getTime() !== known?.rebuiltAt?.getTime()) throw refusal(now.until);
}

const SYNC = "Let the account's owner sync it: unlock the dashboard, or run `halcyon sync`. Then try again.";

/** The refusal of an approval that may have been given before. */
export function unknownApproval(until: Date): ApiError {
  return new ApiError(
    "reseal_required",
    `The service was restored from a backup and does not know whether this payment was approved before. ${SYNC} ` +
      "Or look for it in GET /v1/transfers, and if it is not there, approve it with the account's wallet, or after " +
      `${until.toISOString()}.`,
  );
}

/** The refusal of a key that may have paid before. */
export function unknownKey(until: Date): ApiError {
  return new ApiError(
    "reseal_required",
    `The service was restored from a backup and does not know whether this Idempotency-Key has paid. ${SYNC} Or look ` +
      "for the payment in GET /v1/transfers, and if it is not there, send it without a key, or after " +
      `${until.toISOString()}.`,
  );
}
