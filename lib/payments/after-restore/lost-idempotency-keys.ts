import { and, eq, gt } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";

/**
 * The state after a restored backup: payments were rebuilt from the chain, but the idempotency keys of their requests
 * are lost.
 */
export interface LostIdempotencyKeys {
  /** Until then, an unknown key can pay only if the tags of all rebuilt payments show that it has not paid. */
  until: Date;
  /** When payments of the account were last rebuilt. */
  rebuiltAt: Date | null;
}

/** Returns since when and until when an account's idempotency keys are unknown; null if they are known. */
export async function lostIdempotencyKeys(
  at: Pick<Tx, "select">,
  { chainId, account }: Context,
  now = new Date(),
): Promise<LostIdempotencyKeys | null> {
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

/** Returns when payments of an account or its agents were last rebuilt after a restore; null if never. */
export async function lastRebuilt(at: Pick<Tx, "select">, { chainId, account }: Context): Promise<Date | null> {
  const [row] = await at
    .select({ rebuiltAt: accountNetworks.rebuiltAt })
    .from(accountNetworks)
    .where(and(eq(accountNetworks.accountId, account.rootId), eq(accountNetworks.chainId, chainId)));
  return row?.rebuiltAt ?? null;
}

/**
 * Refuses, in the transaction that pays, to rely on an earlier result if payments were rebuilt in the meantime.
 *
 * @param known the earlier result of `lostIdempotencyKeys`
 * @throws the error that `refusal` returns
 */
export async function requireNothingRebuilt(
  tx: Tx,
  ctx: Context,
  known: LostIdempotencyKeys | null,
  refusal: (until: Date) => ApiError,
): Promise<void> {
  const now = await lostIdempotencyKeys(tx, ctx);
  if (now && now.rebuiltAt?.getTime() !== known?.rebuiltAt?.getTime()) throw refusal(now.until);
}

const SYNC = "Let the account's owner sync it: unlock the dashboard, or run `halcyon sync`. Then try again.";

/** Returns the error for an approval that may have been given before. */
export function unknownApproval(until: Date): ApiError {
  return new ApiError(
    "sync_required",
    `The service was restored from a backup and does not know whether this payment was approved before. ${SYNC} ` +
      "Or look for it in GET /v1/transfers, and if it is not there, approve it with the account's wallet, or after " +
      `${until.toISOString()}.`,
  );
}

/** Returns the error for an idempotency key that may have paid before. */
export function unknownKey(until: Date): ApiError {
  return new ApiError(
    "sync_required",
    `The service was restored from a backup and does not know whether this Idempotency-Key has paid. ${SYNC} Or look ` +
      "for the payment in GET /v1/transfers, and if it is not there, send it without a key, or after " +
      `${until.toISOString()}.`,
  );
}

/** Returns the error for an idempotency key that may have paid without a transfer that would show it. */
export function unlistedKey(until: Date): ApiError {
  return new ApiError(
    "sync_required",
    "The service was restored from a backup that lacks an agent or an account, and does not know whether this " +
      "Idempotency-Key has paid from it. GET /v1/transfers does not list such payments. Ask the recipient, and if " +
      `nothing has arrived, send the payment without a key, or after ${until.toISOString()}.`,
  );
}
