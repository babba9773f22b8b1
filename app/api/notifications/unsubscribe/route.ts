import { ApiError } from "@/lib/base/errors";
import { unsubscribe } from "@/lib/events/notifications/email/end-emails";
import { TokenQuery } from "@/lib/events/notifications/email/schema";
import { asRedirect } from "@/lib/http/plain-response";
import { route } from "@/lib/http/route";

/**
 * Called by mail programs when the reader presses "Unsubscribe" (RFC 8058), and by our own page (`page=1`). Needs no
 * session and ignores the body.
 */
export const POST = route({
  auth: "public",
  limit: "public",
  query: TokenQuery,
  handle: async ({ query: { token, page } }) => {
    const done = await unsubscribe(token);
    if (page) return `/notifications/unsubscribe?result=${done ? "done" : "expired"}`;
    if (done) return null;
    throw new ApiError("not_found", "This link is for an address that is no longer set. Nothing is sent to it.");
  },
  status: (location) => (location ? 303 : 204),
  headers: (location): Record<string, string> => (location ? { location } : {}),
  serialize: () => null,
});

/** Redirects a link to the page that asks first, because mail scanners open links. */
export const GET = asRedirect(() => "/notifications/unsubscribe");
