import { ApiCallError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";
import type { Party } from "../party";

const TRIES = 20;

function isOutdated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === "available_balance_changed";
}

/**
 * Runs what builds on the newest available balance state. Retries when another payment changed the state (409
 * `available_balance_changed`).
 */
async function onFreshAvailable<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isOutdated(error) || attempt === TRIES) throw error;
    }
  }
}

/**
 * Like `onFreshAvailable`, but after the first conflict holds a balance lock, during which other payments wait, so that
 * a move to the available balance on a busy account is not starved.
 *
 * @param until for a contract wallet: takes the lock at once, until this time, because its signers take their time
 */
export async function underLock<T>(
  context: Context,
  party: Party,
  asset: Asset,
  run: (lockToken: string | undefined) => Promise<T>,
  until?: bigint,
): Promise<T> {
  try {
    if (until === undefined) return await run(undefined);
  } catch (error) {
    if (!isOutdated(error)) throw error;
  }
  const session = await context.session();
  const path = "/api/available-balances/lock";
  const body = { asset: asset.symbol };
  const wanted = { ...body, ...(until !== undefined && { until: until.toString() }) };
  const { lock_token } = await session.post<{ lock_token: string }>(path, wanted, party.query);
  try {
    return await onFreshAvailable(() => run(lock_token));
  } finally {
    // A lock that isn't released expires by itself, so a failure here doesn't concern the caller.
    await session.delete(path, { ...body, lock_token }, party.query).catch(() => {});
  }
}
