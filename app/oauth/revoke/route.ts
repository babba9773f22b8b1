import { readClientId } from "@/lib/http/connections/client-id";
import { OauthError } from "@/lib/http/connections/oauth-error";
import { revokeToken } from "@/lib/http/connections/revoke-token";
import { RevocationInput } from "@/lib/http/connections/schema";
import { oauthRoute } from "@/lib/http/oauth-route";

/** Revokes access tokens (RFC 7009). Succeeds for unknown tokens too. */
export const POST = oauthRoute("form", 200, async (body) => {
  const input = RevocationInput.safeParse(body);
  if (!input.success) throw new OauthError("invalid_request", "Send token and client_id.");
  const client = readClientId(input.data.client_id);
  if (!client) throw new OauthError("invalid_client", "Register the application again.");
  await revokeToken(input.data.token, client.id);
  return null;
});
