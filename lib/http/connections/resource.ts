import { env } from "@/lib/base/env";
import { NETWORKS, type Network } from "@/lib/base/network";

/** Returns the address of a network's MCP server, which is also the audience of its tokens (RFC 8707). */
export function mcpResource(network: Network): string {
  return `${env().origin}/mcp/${network}`;
}

/** Returns the network of an MCP server's address, which must match exactly; null for any other text. */
export function networkOfResource(resource: string): Network | null {
  return NETWORKS.find((network) => mcpResource(network) === resource) ?? null;
}
