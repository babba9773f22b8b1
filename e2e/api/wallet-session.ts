import type { APIRequestContext, APIResponse, PlaywrightWorkerArgs } from "@playwright/test";
import type { Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage, type SiweMessage } from "viem/siwe";

/** A wallet signed in to the session API, the way a program does it (docs/session-api.md). */
export class WalletSession {
  private constructor(
    readonly wallet: PrivateKeyAccount,
    readonly http: APIRequestContext,
    readonly network: "test" | "live",
  ) {}

  static async open(
    playwright: PlaywrightWorkerArgs["playwright"],
    baseURL: string,
    options: { key?: Hex; network?: "test" | "live" } = {},
  ): Promise<WalletSession> {
    const http = await playwright.request.newContext({ baseURL });
    const session = new WalletSession(
      privateKeyToAccount(options.key ?? generatePrivateKey()),
      http,
      options.network ?? "test",
    );
    const response = await session.signIn(baseURL, {});
    if (!(await signedIn(response))) throw new Error("the sign-in was refused");
    return session;
  }

  /** Tries to sign in once. `change` replaces fields of the message. */
  async signIn(baseURL: string, change: Partial<SiweMessage>, signer = this.wallet): Promise<APIResponse> {
    const nonce = change.nonce ?? (await this.nonce());
    const message = createSiweMessage({
      domain: new URL(baseURL).host,
      address: this.wallet.address,
      uri: baseURL,
      version: "1",
      chainId: 46630,
      issuedAt: new Date(),
      ...change,
      nonce,
    });
    return this.post(message, await signer.signMessage({ message }));
  }

  async nonce(): Promise<string> {
    return (await (await this.http.get("/api/siwe/nonce")).json()).nonce;
  }

  /** Posts a signed message to next-auth. */
  async post(message: string, signature: string): Promise<APIResponse> {
    const { csrfToken } = await (await this.http.get("/api/auth/csrf")).json();
    return this.http.post("/api/auth/callback/siwe", { form: { csrfToken, message, signature, json: "true" } });
  }

  get(path: string): Promise<APIResponse> {
    return this.http.get(this.at(path));
  }

  send(method: "POST" | "PATCH" | "DELETE", path: string, data: unknown = {}): Promise<APIResponse> {
    return this.http.fetch(this.at(path), {
      method,
      data: JSON.stringify(data),
      headers: { "content-type": "application/json" },
    });
  }

  private at(path: string): string {
    return `${path}${path.includes("?") ? "&" : "?"}network=${this.network}`;
  }
}

/** Returns whether next-auth's response says that a session exists now. */
export async function signedIn(response: APIResponse): Promise<boolean> {
  if (response.status() !== 200) return false;
  const { url = "" } = (await response.json()) as { url?: string };
  return !/[?&](error|csrf)=/.test(url);
}
