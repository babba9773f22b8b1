import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CallToolResult,
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { productURL } from "./owner";

/** An application on this machine that speaks MCP, with the official client and a callback over real HTTP. */
export class Application implements OAuthClientProvider {
  /** Where its user should go. */
  authorizationUrl = "";
  private readonly kept: {
    client?: StoredOAuthClientInformation;
    tokens?: StoredOAuthTokens;
    discovery?: OAuthDiscoveryState;
    verifier?: string;
  } = {};
  private responded: (query: URLSearchParams) => void = () => {};
  /** Resolves with the authorization response, once the browser delivers it. */
  readonly response = new Promise<URLSearchParams>((resolve) => {
    this.responded = resolve;
  });
  private readonly server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://here");
    if (pathname === "/callback") this.responded(searchParams);
    response.setHeader("content-type", "text/html").end("<title>Connected</title><p>You can close this page.</p>");
  });

  private constructor(
    readonly name: string,
    readonly mcpUrl: URL,
  ) {}

  static async start(name: string, path = "/mcp/test"): Promise<Application> {
    const application = new Application(name, new URL(path, productURL));
    await new Promise<void>((resolve) => application.server.listen(0, "127.0.0.1", resolve));
    return application;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: this.name,
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state = (): string => "state-of-the-application";
  clientInformation = () => this.kept.client;
  saveClientInformation = (client: StoredOAuthClientInformation): void => void Object.assign(this.kept, { client });
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: StoredOAuthTokens): void => void Object.assign(this.kept, { tokens });
  saveDiscoveryState = (discovery: OAuthDiscoveryState): void => void Object.assign(this.kept, { discovery });
  discoveryState = () => this.kept.discovery;
  saveCodeVerifier = (verifier: string): void => void Object.assign(this.kept, { verifier });
  codeVerifier = () => this.kept.verifier ?? "";
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url.href;
  }

  /** Returns a transport to the server, with the credentials that the application has so far. */
  transport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.mcpUrl, { authProvider: this });
  }

  /** Asks for access. The user then decides. */
  async ask(): Promise<void> {
    try {
      await new Client({ name: this.name, version: "1" }).connect(this.transport());
    } catch (error) {
      if (error instanceof UnauthorizedError) return;
      throw error;
    }
    throw new Error("no one asked for a token");
  }

  /** Exchanges the code of the authorization response for a token. */
  async finish(): Promise<void> {
    await this.transport().finishAuth(await this.response);
  }

  /** Connects with its token. */
  async client(mode: "legacy" | "auto" = "legacy"): Promise<Client> {
    const client = new Client({ name: this.name, version: "1" }, { versionNegotiation: { mode } });
    await client.connect(this.transport());
    return client;
  }
}

/** A program that waits as long as a slow machine takes. */
const PATIENT = { timeout: 120_000 };

/** Returns a tool's result. The call must not fail. */
export async function called<T>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<T> {
  const { isError, structuredContent, content } = (await client.callTool(
    { name, arguments: args },
    PATIENT,
  )) as CallToolResult;
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as T;
}

/** Returns the error that a tool reports. */
export async function refused(client: Client, name: string, args: Record<string, unknown>) {
  const { isError, content } = (await client.callTool({ name, arguments: args }, PATIENT)) as CallToolResult;
  if (!isError) throw new Error("it was not refused");
  const [, json] = content as { text: string }[];
  return (JSON.parse(json?.text ?? "") as { error: { code: string; param?: string; message: string } }).error;
}
