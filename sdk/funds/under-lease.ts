import type { Party } from "../account/party";
import { ApiCallError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";

const TRIES = 20;

function isOutdated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === "budget_changed";
}

/** Runs what is built on the newest budget state, again when another payment came in between (409 `budget_changed`). */
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
 * As `onFreshBudget`, but after the first such loss under a lease, during which payments wait, so that an allocation on
 * a busy account is not starved.
 *
 * @param until for what a contract wallet signs: it is leased at once and so long, because its signers take their time
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
    // An expired lease frees the budget as well; a failure to end it early is none of the caller's business.
    await session.delete(path, body, party.query).catch(() => {});
  }
}
