import { ApiError } from "@/lib/errors";
import { count } from "@/lib/telemetry/record";

/** Counts how an attempt to pay ended: accepted, held for the agent's owner, or refused and with which error. */
export async function countPayment<T>(work: () => Promise<T>, outcomeOf: (made: T) => "paid" | "held"): Promise<T> {
  try {
    const made = await work();
    count("halcyon.payments", { outcome: outcomeOf(made) === "held" ? "held" : "accepted" });
    return made;
  } catch (error) {
    count("halcyon.payments", { outcome: "refused", code: error instanceof ApiError ? error.code : "internal" });
    throw error;
  }
}
