import { networkOfResource } from "@/lib/http/connections/resource";
import { asRedirect } from "@/lib/http/plain-response";

/**
 * The authorization endpoint: redirects to the dashboard page where the owner decides. That page reports errors in the
 * request and redirects nowhere else.
 */
export const GET = asRedirect(({ searchParams }) => {
  const network = networkOfResource(searchParams.get("resource") ?? "") ?? "test";
  return `/${network}/connect`;
});
