import { registerClient } from "@/lib/http/connections/client-id";
import { oauthRoute } from "@/lib/http/oauth-route";

/** Registers a client dynamically (RFC 7591). Only for public clients that use authorization codes. */
export const POST = oauthRoute("json", 201, async (body) => {
  const { id, name, redirectUris } = registerClient(body);
  return {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  };
});
