import { ApiError } from "@/lib/errors";
import { count } from "@/lib/telemetry/record";

/** Counts how an attempt to pay ended: accepted, held for the agent's owner, or refused and with which error. */
export async function countPayment<T>(work: () => Promise<T>, outcomeOf: (payment: T) => "paid" | "held"): Promise<T> {
  try {
    const payment = await work();
    count("halcyon.payments", { outcome: outcomeOf(payment) === "held" ? "held" : "accepted" });
    return payment;
  } catch (error) {
    count("halcyon.payments", { outcome: "refused", code: error instanceof ApiError ? error.code : "internal" });
    throw error;
  }
}
