import type { Context } from "./context";
import { ApiCallError } from "./errors";
import type { Asset } from "./network-info";

const TRIES = 6;

/**
 * Runs something that is built on the newest budget state, again when a payment came in between (409
 * `budget_changed`). After the first such loss it runs under a lease, during which payments wait, so that a busy
 * account is not starved.
 */
export async function withFreshBudget<T>(
  context: Context,
  asset: Asset,
  run: (leaseToken: string | undefined) => Promise<T>,
): Promise<T> {
  const session = await context.session();
  let lease: string | undefined;
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(lease);
      } catch (error) {
        const lost = error instanceof ApiCallError && error.code === "budget_changed";
        if (!lost || attempt === TRIES) throw error;
      }
      lease ??= (await session.post<{ lease_token: string }>("/api/budgets/lease", { asset: asset.symbol }))
        .lease_token;
    }
  } finally {
    // An expired lease frees the budget as well; a failure to end it early is none of the caller's business.
    if (lease) await session.delete("/api/budgets/lease", { asset: asset.symbol }).catch(() => {});
  }
}
