import { ApiError } from "@/lib/base/errors";
import { count } from "@/lib/base/telemetry/record";

/**
 * Records the outcome of an attempt to pay in a metric: accepted, held for the agent's owner, or refused, with the
 * error code.
 *
 * @param payments how many payments an accepted attempt makes
 */
export async function countPayment<T>(
  work: () => Promise<T>,
  outcomeOf: (payment: T) => "paid" | "held",
  payments = 1,
): Promise<T> {
  try {
    const payment = await work();
    const outcome = outcomeOf(payment) === "held" ? "held" : "accepted";
    for (let counted = 0; counted < payments; counted++) count("halcyon.payments", { outcome });
    return payment;
  } catch (error) {
    count("halcyon.payments", { outcome: "refused", code: error instanceof ApiError ? error.code : "internal" });
    throw error;
  }
}
