import { NETWORKS } from "@/lib/base/network";
import { resourceMetadata } from "@/lib/http/connections/metadata";

export const dynamic = "force-dynamic";

/** Returns the protected resource metadata (RFC 9728) of a network's MCP server. */
export async function GET(_: Request, { params }: { params: Promise<{ network: string }> }): Promise<Response> {
  const { network: name } = await params;
  const network = NETWORKS.find((each) => each === name);
  if (!network) return new Response(null, { status: 404 });
  return Response.json(resourceMetadata(network), { headers: { "cache-control": "no-store" } });
}
