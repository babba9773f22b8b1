import { ApiCallError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";
import type { Party } from "../party";

const TRIES = 20;

function isOutdated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === "budget_changed";
}

/**
 * Runs what builds on the newest budget state. Retries when another payment changed the state (409 `budget_changed`).
 */
async function onFreshBudget<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isOutdated(error) || attempt === TRIES) throw error;
    }
  }
}

/**
 * Like `onFreshBudget`, but after the first conflict holds a lease, during which other payments wait, so that an
 * allocation on a busy account is not starved.
 *
 * @param until for a contract wallet: takes the lease at once, until this time, because its signers take their time
 */
export async function underLease<T>(
  context: Context,
  party: Party,
  asset: Asset,
  run: (leaseToken: string | undefined) => Promise<T>,
  until?: bigint,
): Promise<T> {
  try {
    if (until === undefined) return await run(undefined);
  } catch (error) {
    if (!isOutdated(error)) throw error;
  }
  const session = await context.session();
  const path = "/api/budgets/lease";
  const body = { asset: asset.symbol };
  const lease = { ...body, ...(until !== undefined && { until: until.toString() }) };
  const { lease_token } = await session.post<{ lease_token: string }>(path, lease, party.query);
  try {
    return await onFreshBudget(() => run(lease_token));
  } finally {
    // A lease that isn't released expires by itself, so a failure here doesn't concern the caller.
    await session.delete(path, { ...body, lease_token }, party.query).catch(() => {});
  }
}
