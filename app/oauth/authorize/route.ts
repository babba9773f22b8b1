import { networkOfResource } from "@/lib/connections/resource";

export const dynamic = "force-dynamic";

/**
 * The authorization endpoint: sends people to the page of the dashboard where they decide. Whatever is wrong with the request is
 * said there, and leads nowhere else.
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
