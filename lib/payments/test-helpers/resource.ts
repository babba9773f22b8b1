import { z } from "zod";
import type { Advanced } from "./advance-clock";

/** What has moved. */
export const ClockResource = z
  .object({
    advanced_seconds: z.int().meta({ description: "How much time passed." }),
    approvals: z.int().meta({ description: "Payments awaiting approval whose window moved." }),
    deliveries: z.int().meta({ description: "Webhook deliveries whose next attempt moved." }),
    keys: z.int().meta({ description: "API keys whose expiry moved." }),
  })
  .meta({ id: "AdvancedClock", description: "What of your account had to wait for less time." });

/** The recipient that fails. */
export const FailingRecipientResource = z
  .object({ to: z.string().meta({ description: "Its handle: pay it to see a payment fail." }) })
  .meta({ id: "FailingRecipient", description: "A recipient whose payments always fail." });

/** Serialises what has moved. */
export function toClockResource({ seconds, approvals, deliveries, keys }: Advanced) {
  return { advanced_seconds: seconds, approvals, deliveries, keys };
}
