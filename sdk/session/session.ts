import type { Network } from "@/lib/network";
import { ApiCallError, HalcyonError } from "../api/errors";
import type { Http, HttpRequest } from "../api/http";
import { type Shared, share } from "../api/share";
import type { Wallet } from "../chain/wallet";
import { CookieJar } from "./cookie-jar";
import { Calls } from "./session-calls";
import { isSignedIn, signInMessage } from "./sign-in-message";

/** The session routes under `/api`, signed in to with the wallet (ERC-4361). The token lives in memory only. */
export class Session extends Calls {
  constructor(
    private readonly http: Http,
    private readonly wallet: Wallet,
    private readonly network: Network,
    /** What all calls of the session share. */
    private readonly shared: { jar: CookieJar; signIn: Shared<void> } = { jar: new CookieJar(), signIn: {} },
  ) {
    super();
  }

  override over(http: Http): Session {
    return new Session(http, this.wallet, this.network, this.shared);
  }

  /** Any method: signs in first, and once more when the session has ended meanwhile. */
  override async call<T>(method: string, path: string, request: HttpRequest): Promise<T> {
    await this.signIn();
    try {
      return await this.send<T>(method, path, request);
    } catch (error) {
      if (!(error instanceof ApiCallError) || error.status !== 401) throw error;
    }
    // The session ended meanwhile: one new one.
    this.shared.jar.clear();
    this.shared.signIn.work = undefined;
    await this.signIn();
    return this.send<T>(method, path, request);
  }

  private async send<T>(method: string, path: string, request: HttpRequest): Promise<T> {
    const query = { network: this.network, ...request.query };
    const response = await this.http.send(method, path, { ...request, query, headers: this.shared.jar.header() });
    this.shared.jar.store(response.headers);
    return response.body as T;
  }

  /** Signs in unless that has happened, or is happening in another call. */
  private signIn(): Promise<void> {
    return share(this.http.call, this.shared.signIn, () => this.trySignIns());
  }

  /** next-auth may lose the race for its CSRF cookie and then asks again: once more is enough. */
  private async trySignIns(): Promise<void> {
    const origins = signInOrigins(this.http.baseUrl);
    for (const origin of [...origins, ...origins]) if (await this.trySignIn(origin)) return;
    throw new HalcyonError(
      "unauthorized",
      `The service at ${this.http.baseUrl} refused the sign-in. Use the exact address it is configured with (option url).`,
    );
  }

  private async trySignIn(origin: string): Promise<boolean> {
    const { nonce } = await this.plain<{ nonce: string }>("GET", "/api/siwe/nonce");
    const { csrfToken } = await this.plain<{ csrfToken: string }>("GET", "/api/auth/csrf");
    const message = signInMessage(origin, this.network, this.wallet.address, nonce);
    const signature = await this.wallet.signMessage({ message });
    const response = await this.http.sendOnce("POST", "/api/auth/callback/siwe", {
      form: { csrfToken, message, signature, json: "true", callbackUrl: origin },
      headers: this.shared.jar.header(),
    });
    this.shared.jar.store(response.headers);
    return isSignedIn(response);
  }

  private async plain<T>(method: string, path: string): Promise<T> {
    const response = await this.http.send(method, path, { headers: this.shared.jar.header() });
    this.shared.jar.store(response.headers);
    return response.body as T;
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
