import { env } from "@/lib/env";
import { NETWORKS, type Network } from "@/lib/network";

/** The address of a network's MCP server: what its tokens are for (RFC 8707), and where they work. */
export function mcpResource(network: Network): string {
  return `${env().origin}/mcp/${network}`;
}

/** The network of such an address, written exactly so; null for any other text. */
export function networkOfResource(resource: string): Network | null {
  return NETWORKS.find((network) => mcpResource(network) === resource) ?? null;
}
