import { z } from "zod";

/** The longest address (RFC 5321, 4.5.3.1.3). */
const LONGEST_ADDRESS = 254;

/** The body of `POST /api/notifications/email`. */
export const SetEmailInput = z.strictObject({
  address: z
    .string("Send address, an email address.")
    .trim()
    .max(LONGEST_ADDRESS, "An email address has at most 254 characters.")
    // ASCII only, so that no address can look like another one.
    .pipe(z.email("Enter an email address such as ada@example.com.")),
});
export type SetEmailInput = z.infer<typeof SetEmailInput>;

/** The query of the links in messages. `page` is set when our own page sends the request and shows the result. */
export const TokenQuery = z.strictObject({ token: z.string().max(200), page: z.literal("1").optional() });
