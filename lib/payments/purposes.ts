import type { Tx } from "@/db/client";
import type { ContextAccount, RelayContext } from "@/lib/base/context/context";
import type { ClaimingPayment, DetailsToClaim } from "./claim-details";
import { type PurposeColumn, requireOnePurpose } from "./details/payment-details";
import { payoutRow } from "./payouts/payout-row-purpose";
import type { Purpose, PurposeRow } from "./purpose";
import { refund } from "./refunds/refund-purpose";
import { paymentRequest } from "./requests/request-purpose";
import { scheduleRun } from "./schedules/run-purpose";

/** What a payment can be for: at most one thing. */
export const PURPOSES: readonly Purpose[] = [refund, paymentRequest, scheduleRun, payoutRow];

/**
 * Claims what payments are for, before available balances are locked.
 *
 * @throws ApiError
 */
export async function claimBefore(
  tx: Tx,
  ctx: RelayContext,
  payer: ContextAccount,
  payments: readonly (DetailsToClaim | undefined)[],
): Promise<void> {
  const claimed = new Set<string>();
  for (const purpose of PURPOSES) {
    if (purpose.claimed !== "before balances") continue;
    for (const details of payments) {
      const id = details && purpose.named(details);
      if (!details || id === undefined || claimed.has(id)) continue;
      claimed.add(id);
      await purpose.claim(tx, ctx, details, payer);
    }
  }
}

/**
 * Claims what a payment is for, once available balances are locked, and returns its columns.
 *
 * @throws ApiError also `invalid_request` for a payment that is for several things
 */
export async function claimAfter(
  tx: Tx,
  ctx: RelayContext,
  payment: ClaimingPayment,
  details: DetailsToClaim,
): Promise<Record<PurposeColumn, string | null>> {
  const named = Object.fromEntries(PURPOSES.map(({ column, named }) => [column, named(details) ?? null]));
  const columns = named as Record<PurposeColumn, string | null>;
  requireOnePurpose(columns);
  for (const purpose of PURPOSES) {
    if (purpose.claimed === "after balances" && columns[purpose.column] !== null) {
      await purpose.claim(tx, ctx, details, payment);
    }
  }
  return columns;
}

/**
 * Notes payments with what they are for, before they are written.
 *
 * @returns what is left to do once they are written
 */
export async function recordPurposes(tx: Tx, rows: readonly PurposeRow[], now: Date): Promise<() => Promise<void>> {
  const left: ((() => Promise<void>) | undefined)[] = [];
  for (const { record } of PURPOSES) left.push(await record(tx, rows, now));
  for (const row of rows) requireOnePurpose(row);
  return async () => {
    for (const finish of left) await finish?.();
  };
}

/** Follows what payments were for that were confirmed or have failed. */
export async function settlePurposes(tx: Tx, rows: readonly PurposeRow[], now: Date): Promise<void> {
  for (const { settle } of PURPOSES) await settle(tx, rows, now);
}

/** Follows what confirmed payments were for that are open again. */
export async function reopenPurposes(tx: Tx, rows: readonly PurposeRow[]): Promise<void> {
  for (const { reopen } of PURPOSES) await reopen(tx, rows);
}
