import { env } from "@/lib/base/env";
import type { Network } from "@/lib/base/network";
import { mcpResource } from "./resource";

/** What an application can ask for: reading, and paying within the agent's policy. */
export const CONNECTION_SCOPES = ["read", "pay"] as const;

export type ConnectionScope = (typeof CONNECTION_SCOPES)[number];

/** Returns this service's authorization server metadata (RFC 8414). */
export function serverMetadata() {
  const { origin } = env();
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    scopes_supported: [...CONNECTION_SCOPES],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${origin}/docs/mcp`,
  };
}

/** Returns the protected resource metadata (RFC 9728) of a network's MCP server. */
export function resourceMetadata(network: Network) {
  return {
    resource: mcpResource(network),
    authorization_servers: [env().origin],
    scopes_supported: [...CONNECTION_SCOPES],
    bearer_methods_supported: ["header"],
    resource_name: `Halcyon payments (${network})`,
    resource_documentation: `${env().origin}/docs/mcp`,
  };
}

/** Returns the address of that metadata. */
export function resourceMetadataUrl(network: Network): string {
  return `${env().origin}/.well-known/oauth-protected-resource/mcp/${network}`;
}
