import { createHash, randomBytes } from "node:crypto";
import { connectAgent } from "@/sdk/account/connect-agent";
import type { HalcyonOptions } from "@/sdk/context/platform/node-context";
import { localContext } from "@/sdk/local-context";

const REDIRECT = "http://127.0.0.1:9/callback";

/** An application that an owner has connected to an agent. */
export interface Connected {
  /** Its access token for the MCP server. */
  token: string;
  code: string;
  verifier: string;
  /** The address of the MCP server. */
  resource: string;
  /** Exchanges the code again, which ends the token. */
  exchange(): Promise<{ access_token?: string }>;
}

/** Connects an application to an agent of an account, as its owner's browser does. */
export async function connectApplication(options: HalcyonOptions, agent: string, name: string): Promise<Connected> {
  const url = options.url ?? "";
  const post = async <T>(path: string, body: string, type: string) => {
    const response = await fetch(`${url}${path}`, { method: "POST", headers: { "content-type": type }, body });
    return (await response.json()) as T;
  };
  const registration = JSON.stringify({ client_name: name, redirect_uris: [REDIRECT] });
  const { client_id } = await post<{ client_id: string }>("/oauth/register", registration, "application/json");
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const resource = `${url}/mcp/test`;
  const request = {
    response_type: "code",
    client_id,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource,
  };
  const consent = {
    lasts: "1 hour" as const,
    application: name,
    redirectUri: REDIRECT,
    resource,
    clientId: client_id,
    codeChallenge: challenge,
  };
  const { code } = await connectAgent(localContext(options), { agent, request, consent, scopes: ["read", "pay"] });
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT,
    client_id,
    code_verifier: verifier,
    resource,
  });
  const exchange = () =>
    post<{ access_token?: string }>("/oauth/token", form.toString(), "application/x-www-form-urlencoded");
  const { access_token: token } = await exchange();
  if (!token) throw new Error("the application got no token");
  return { token, code, verifier, resource, exchange };
}
