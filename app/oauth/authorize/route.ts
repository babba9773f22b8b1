import { networkOfResource } from "@/lib/http/connections/resource";
import { asRouteHandler } from "@/lib/http/plain-response";

/**
 * The authorization endpoint: redirects to the dashboard page where the owner decides. That page reports errors in the
 * request and redirects nowhere else.
 */
export const GET = asRouteHandler(async (request) => {
  const { search, searchParams } = new URL(request.url);
  const network = networkOfResource(searchParams.get("resource") ?? "") ?? "test";
  const location = `/${network}/connect${search}`;
  return {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
    text: null,
  };
});
