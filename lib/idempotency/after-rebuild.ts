import { and, eq, gt } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { idempotencyKeys } from "@/db/schema/keys";
import type { KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";

const DAY_MS = 24 * 3_600_000;

/** Whether a request to this path may pay: a payment, or the approval of one. Others do no harm when made twice. */
export function mayPay(path: string): boolean {
  return path === "/v1/transfers" || isApproval(path);
}

/**
 * Until when no unknown Idempotency-Key of an account may pay: the database was restored from a backup, payments were
 * rebuilt from the chain, and the keys they were made with are lost. Null when that is not so.
 */
async function keysUnknownUntil(at: Pick<Tx, "select">, { chainId, account }: KeyContext): Promise<Date | null> {
  const [row] = await at
    .select({ until: accountNetworks.keysUnknownUntil })
    .from(accountNetworks)
    .where(
      and(
        eq(accountNetworks.accountId, account.rootId),
        eq(accountNetworks.chainId, chainId),
        gt(accountNetworks.keysUnknownUntil, new Date()),
      ),
    );
  return row?.until ?? null;
}

/**
 * Refuses a key whose response is not kept while it cannot be known whether it has paid.
 *
 * @throws reseal_required, with the remedy
 */
export async function requireKnownKey(context: KeyContext, path: string, key: string): Promise<void> {
  const until = await keysUnknownUntil(db(), context);
  if (!until) return;
  const [kept] = await db()
    .select({ answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.keyId, context.keyId),
        eq(idempotencyKeys.key, key),
        gt(idempotencyKeys.createdAt, new Date(Date.now() - DAY_MS)),
      ),
    );
  if (!kept?.answer) throw isApproval(path) ? unknownApproval(until) : unknownKey(until);
}

/**
 * The same for a request that was under way when payments were rebuilt, in the transaction of its change.
 *
 * @throws reseal_required, with the remedy
 */
export async function requireNothingRebuilt(tx: Tx, context: KeyContext, path: string): Promise<void> {
  const until = await keysUnknownUntil(tx, context);
  if (until) throw isApproval(path) ? unknownApproval(until) : unknownKey(until);
}

/**
 * The same for the approval of a public payment, which leaves no note to know it by: with or without a key.
 *
 * @throws reseal_required, with the remedy
 */
export async function requireKnownApprovals(tx: Tx, context: KeyContext): Promise<void> {
  const until = await keysUnknownUntil(tx, context);
  if (until) throw unknownApproval(until);
}

const isApproval = (path: string) => path.endsWith("/approve");

function unknownApproval(until: Date): ApiError {
  return new ApiError(
    "reseal_required",
    "The service was restored from a backup and does not know whether this payment was approved before. Look for it in " +
      `GET /v1/transfers. If it is not there, approve it with the account's wallet, or after ${until.toISOString()}.`,
  );
}

function unknownKey(until: Date): ApiError {
  return new ApiError(
    "reseal_required",
    "The service was restored from a backup and does not know whether this Idempotency-Key has paid. " +
      `Look for the payment in GET /v1/transfers. If it is not there, send it without a key, or after ${until.toISOString()}.`,
  );
}
