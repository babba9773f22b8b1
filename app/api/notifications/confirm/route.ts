import { confirmEmail } from "@/lib/events/notifications/email/confirm-email";
import { TokenQuery } from "@/lib/events/notifications/email/schema";
import { route } from "@/lib/http/route";

/** Called by the button on the confirmation page. The token is the only authorization. */
export const POST = route({
  auth: "public",
  limit: "public",
  query: TokenQuery,
  handle: ({ query }) => confirmEmail(query.token),
  status: 303,
  headers: (done) => ({ location: `/notifications/confirm?result=${done ? "done" : "expired"}` }),
  serialize: () => null,
});
