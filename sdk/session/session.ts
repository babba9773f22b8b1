import type { Network } from "@/lib/network";
import { ApiCallError, HalcyonError } from "../api/errors";
import type { Http, HttpRequest } from "../api/http";
import type { Wallet } from "../chain/wallet";
import { CookieJar } from "./cookies";
import { Calls } from "./session-calls";
import { isSignedIn, signInMessage } from "./sign-in-message";

/** The session routes under `/api`, signed in to with the wallet (ERC-4361). The token lives in memory only. */
export class Session extends Calls {
  private readonly jar = new CookieJar();
  private signedIn?: Promise<void>;

  constructor(
    private readonly http: Http,
    private readonly wallet: Wallet,
    private readonly network: Network,
  ) {
    super();
  }

  /** Any method: signs in first, and once more when the session has ended meanwhile. */
  override async call<T>(method: string, path: string, request: HttpRequest): Promise<T> {
    this.signedIn ??= this.signIn();
    await this.signedIn;
    try {
      return await this.send<T>(method, path, request);
    } catch (error) {
      if (!(error instanceof ApiCallError) || error.status !== 401) throw error;
    }
    // The session ended meanwhile: one new one.
    this.jar.clear();
    this.signedIn = this.signIn();
    await this.signedIn;
    return this.send<T>(method, path, request);
  }

  private async send<T>(method: string, path: string, request: HttpRequest): Promise<T> {
    const query = { network: this.network, ...request.query };
    const answer = await this.http.send(method, path, { ...request, query, headers: this.jar.header() });
    this.jar.store(answer.headers);
    return answer.body as T;
  }

  /** next-auth may lose the race for its CSRF cookie and then asks again: once more is enough. */
  private async signIn(): Promise<void> {
    const origins = signInOrigins(this.http.baseUrl);
    for (const origin of [...origins, ...origins]) if (await this.trySignIn(origin)) return;
    throw new HalcyonError(
      "unauthorized",
      `The service at ${this.http.baseUrl} refused the sign-in. Use the exact address it is configured with (--url).`,
    );
  }

  private async trySignIn(origin: string): Promise<boolean> {
    const { nonce } = await this.plain<{ nonce: string }>("GET", "/api/siwe/nonce");
    const { csrfToken } = await this.plain<{ csrfToken: string }>("GET", "/api/auth/csrf");
    const message = signInMessage(origin, this.network, this.wallet.address, nonce);
    const signature = await this.wallet.signMessage({ message });
    const answer = await this.http.sendOnce("POST", "/api/auth/callback/siwe", {
      form: { csrfToken, message, signature, json: "true", callbackUrl: origin },
      headers: this.jar.header(),
    });
    this.jar.store(answer.headers);
    return isSignedIn(answer);
  }

  private async plain<T>(method: string, path: string): Promise<T> {
    const answer = await this.http.send(method, path, { headers: this.jar.header() });
    this.jar.store(answer.headers);
    return answer.body as T;
  }
}

/**
 * The origins to sign in for: the one we talk to, so that a signature a false service obtains is worth nothing elsewhere.
 * A machine's own addresses are one place: the local stack calls itself localhost.
 */
export function signInOrigins(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(url);
  const loopback = hostname === "127.0.0.1" || hostname === "[::1]";
  return loopback ? [origin, new URL(`${protocol}//localhost:${port}`).origin] : [origin];
}
