import { route } from "@/lib/http/route";
import { confirmEmail } from "@/lib/notifications/email/confirm-email";
import { TokenQuery } from "@/lib/notifications/email/schema";

/** What the page behind a confirmation's link sends when its button is pressed. The token is all it takes. */
export const POST = route({
  auth: "public",
  query: TokenQuery,
  handle: ({ query }) => confirmEmail(query.token),
  status: 303,
  headers: (done) => ({ location: `/notifications/confirm?result=${done ? "done" : "expired"}` }),
  serialize: () => null,
});
