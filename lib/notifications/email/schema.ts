import { z } from "zod";

/** The longest address (RFC 5321, 4.5.3.1.3). */
const LONGEST_ADDRESS = 254;

/** The body of `POST /api/notifications/email`. */
export const SetEmailInput = z.strictObject({
  address: z
    .string("Send address, an email address.")
    .trim()
    .max(LONGEST_ADDRESS, "An email address has at most 254 characters.")
    // Plain ASCII alone: what looks like another address is another address.
    .pipe(z.email("Enter an email address such as ada@example.com.")),
});
export type SetEmailInput = z.infer<typeof SetEmailInput>;

/** The query of what links in messages lead to; `page`: a page of ours asked, and shows what came of it. */
export const TokenQuery = z.strictObject({ token: z.string().max(200), page: z.literal("1").optional() });
