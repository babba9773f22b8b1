import { networkOfResource } from "@/lib/connections/resource";

export const dynamic = "force-dynamic";

/**
 * The authorization endpoint: redirects to the dashboard page where the owner decides. That page reports errors in the
 * request and redirects nowhere else.
 */
export function GET(request: Request): Response {
  const { search, searchParams } = new URL(request.url);
  const network = networkOfResource(searchParams.get("resource") ?? "") ?? "test";
  return new Response(null, {
    status: 303,
    headers: {
      location: `/${network}/connect${search}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}
