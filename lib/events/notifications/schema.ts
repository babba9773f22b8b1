import { z } from "zod";
import { CHANNELS, NOTIFICATION_KINDS } from "@/lib/events/notification-kinds";

/** The body of `PATCH /api/notifications`. */
export const SwitchInput = z.strictObject({
  kind: z.enum(NOTIFICATION_KINDS, `kind is one of ${NOTIFICATION_KINDS.join(", ")}.`),
  channel: z.enum(CHANNELS, "channel is email or push."),
  enabled: z.boolean("enabled is true or false."),
});
export type SwitchInput = z.infer<typeof SwitchInput>;
