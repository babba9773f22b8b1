import type { Inputs } from "./forge.ts";
import { type Forgery, otherCommitment } from "./mutants.ts";
import { NO_LIMITS, policy, type Spending } from "./spend-vectors.ts";
import { MAX } from "./vectors.ts";

/** A payment by the payer's own key on the day that was counted before, within all limits. */
export const HONEST: Spending = {
  limit: 1000n,
  amount: 250n,
  window: { spent: 40n, day: 20000n },
  mode: 0n,
  day: 20000n,
  limits: { perPayment: 500n, daily: 600n, threshold: 300n },
};

/** The same by the wallet, over every limit. */
export const BY_WALLET: Spending = { ...HONEST, mode: 2n, day: 0n, limits: NO_LIMITS };

/** A witness for each statement that the two circuits share, which it alone refuses. */
export function spendForgeries(inputsOf: (spending: Spending) => Inputs): Record<string, Forgery> {
  const honest = inputsOf(HONEST);
  const { window, limits, day } = HONEST;
  const forged = (change: Partial<Spending>, fixed?: Record<string, bigint>): Forgery => ({
    inputs: inputsOf({ ...HONEST, ...change }),
    ...(fixed === undefined ? {} : { fixed }),
  });
  const later = { day: day + 1n };
  return {
    "Range64(limit)": forged({ limit: MAX + 1n }),
    // Forgotten on a later day, so no other statement sees it.
    "Range64(spent)": forged({ ...later, window: { spent: MAX + 1n, day } }),
    "Range32(oldDay)": forged({ window: { spent: 40n, day: 2n ** 32n }, day: 2n ** 32n - 1n }),
    "Range64(amount - 1)": forged({ amount: 0n }),
    "Range64(newLimit)": forged({ limit: 249n }),
    "WindowedAvailableOpening(oldAvailable)": otherCommitment(honest, "oldAvailable"),
    "WindowedAvailableOpening(newAvailable)": otherCommitment(honest, "newAvailable"),
    // The terms of the next day, for which mode 4 on this day passes as mode 0.
    "bits(mode)": {
      ...forged({ mode: 4n, newWindow: { spent: 290n, day } }),
      lie: "truncate",
    },
    "equation(bits.out)": forged({ mode: 3n }),
    "equation(bits.out[1], isLimited)": forged({ newWindow: window }, { "PolicyRules.isLimited": 0n }),
    "equation(bits.out[0], isLimited, isOwn)": forged({ amount: 301n }, { "PolicyRules.isOwn": 0n }),
    "Range32(day)": forged({ day: 2n ** 32n + 5n, window: { spent: 40n, day: 100n } }),
    "equation(day, mode, terms)": forged({ mode: 1n, amount: 301n, terms: 4n * day }),
    // Second splits of the policy's word: a larger limit at the cost of one unit of the next.
    "Range64(perPayment)": forged({
      amount: 501n,
      mode: 1n,
      limits: { perPayment: 500n + 2n ** 64n, daily: 599n, threshold: 300n },
    }),
    "Range64(daily)": forged({
      window: { spent: 599n, day },
      limits: { perPayment: 500n, daily: 600n + 2n ** 64n, threshold: 299n },
    }),
    "Range64(threshold)": forged({ limits: { ...limits, threshold: 2n ** 64n } }),
    "PolicyWord()": forged(
      { amount: 501n, limits: { perPayment: 501n, daily: 900n, threshold: 900n }, policy: policy(limits) },
      { "PolicyRules.word": policy(limits) },
    ),
    "equation(isLimited, policy, word)": forged({ policy: 0n }),
    "LessThan32()": forged({ newWindow: { spent: 250n, day } }, { "PolicyRules.isLater": 1n }),
    "equation(day, isLater, laterBy, oldDay)": forged(
      { ...later, newWindow: { spent: 250n, day } },
      { "PolicyRules.laterBy": 0n },
    ),
    "equation(isLimited, laterBy, newDay, oldDay)": forged(
      { newWindow: { spent: 290n, day: 0n } },
      { "PolicyRules.newDay": 0n },
    ),
    "equation(forgotten, isLater, spent)": forged(
      { newWindow: { spent: 250n, day } },
      { "PolicyRules.forgotten": 40n },
    ),
    "equation(amount, forgotten, isLimited, newSpent, spent)": forged(
      { newWindow: { spent: 0n, day } },
      { "PolicyRules.newSpent": 0n },
    ),
    "Range64(daily - newSpent)": forged({ window: { spent: 351n, day } }),
    "Range64(perPayment - amount)": forged({ amount: 501n, mode: 1n }),
    "equation(amount, isOwn, ownAmount)": forged({ amount: 301n }, { "PolicyRules.ownAmount": 0n }),
    "Range64(threshold - ownAmount)": forged({ amount: 301n }),
    "equation(amount, limit, newLimit)": forged({ newLimit: 1000n }, { newLimit: 1000n }),
  };
}
