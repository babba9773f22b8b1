import { exchangeCode } from "@/lib/http/connections/exchange-code";
import { OauthError } from "@/lib/http/connections/oauth-error";
import { TokenInput } from "@/lib/http/connections/schema";
import { oauthRoute } from "@/lib/http/oauth-route";

/** Exchanges authorization codes for access tokens. */
export const POST = oauthRoute("form", 200, async (body) => {
  const input = TokenInput.safeParse(body);
  if (!input.success) throw new OauthError("invalid_request", "Send grant_type, code, redirect_uri, client_id, …");
  return exchangeCode(input.data);
});
