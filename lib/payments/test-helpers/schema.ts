import { z } from "zod";

/** As long as a key or a schedule lasts. */
const MOST_SECONDS = 366 * 86_400;

/** The body of `POST /v1/test_helpers/clock/advance`. */
export const AdvanceClockInput = z
  .strictObject({
    seconds: z
      .int("seconds is a whole number.")
      .min(1, "seconds is at least 1.")
      .max(MOST_SECONDS, `seconds is at most ${MOST_SECONDS}, which is 366 days.`)
      .meta({ description: "How much time passes.", examples: [86_400] }),
  })
  .meta({ id: "AdvanceClock", description: "How much time passes for your account." });
export type AdvanceClockInput = z.infer<typeof AdvanceClockInput>;
