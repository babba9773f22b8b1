import type { Network } from "@/lib/base/network";
import { ApiCallError, HalcyonError } from "../../api/errors";
import type { Http, HttpRequest, HttpResponse } from "../../api/http";
import { type Shared, share } from "../../api/share";
import type { Wallet } from "../../chain/wallet";
import { CookieJar } from "./cookie-jar";
import { postSignIn } from "./post-sign-in";
import { Calls } from "./session-calls";
import { serverTime, signInMessage } from "./sign-in-message";

/**
 * A client for the session routes under `/api` that signs in with the wallet (ERC-4361). Keeps the token in memory
 * only.
 */
export class Session extends Calls {
  constructor(
    private readonly http: Http,
    private readonly wallet: Wallet,
    private readonly network: Network,
    /** The state that all calls of the session share. */
    private readonly shared: { jar: CookieJar; signIn: Shared<void> } = { jar: new CookieJar(), signIn: {} },
  ) {
    super();
  }

  override over(http: Http): Session {
    return new Session(http, this.wallet, this.network, this.shared);
  }

  /** Calls a route with any method. Signs in first, and once more if the session has ended. */
  override async call<T>(method: string, path: string, request: HttpRequest): Promise<T> {
    await this.signIn();
    try {
      return await this.send<T>(method, path, request);
    } catch (error) {
      if (!(error instanceof ApiCallError) || error.status !== 401) throw error;
    }
    // The session has ended: sign in again, once.
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

  /** Signs in, unless another call has done so or is doing so. */
  private signIn(): Promise<void> {
    return share(this.http.call, this.shared.signIn, () => this.trySignIns());
  }

  /** Tries each origin twice: next-auth may lose the race for its CSRF cookie and then asks again. */
  private async trySignIns(): Promise<void> {
    const origins = signInOrigins(this.http.baseUrl);
    for (const origin of [...origins, ...origins]) if (await this.trySignIn(origin)) return;
    throw new HalcyonError(
      "unauthorized",
      `The service at ${this.http.baseUrl} refused the sign-in. Use the exact address it is configured with (option url).`,
    );
  }

  private async trySignIn(origin: string): Promise<boolean> {
    const response = await this.plain("GET", "/api/siwe/nonce");
    const { nonce } = response.body as { nonce: string };
    const { csrfToken } = (await this.plain("GET", "/api/auth/csrf")).body as { csrfToken: string };
    const message = signInMessage(origin, this.network, this.wallet.address, nonce, serverTime(response));
    const signature = await this.wallet.signMessage({ message });
    const form = { csrfToken, message, signature, callbackUrl: origin };
    const { accepted, headers } = await postSignIn(this.http, form, this.shared.jar.header());
    this.shared.jar.store(headers);
    return accepted;
  }

  private async plain(method: string, path: string): Promise<HttpResponse> {
    const response = await this.http.send(method, path, { headers: this.shared.jar.header() });
    this.shared.jar.store(response.headers);
    return response;
  }
}

/**
 * Returns the origins to sign in for. Only the origin we connect to counts, so that a signature obtained by a fake
 * service is worthless elsewhere. For a loopback address, `localhost` is tried as well, because the local stack uses
 * that name.
 */
export function signInOrigins(url: string): string[] {
  const { origin, protocol, hostname, port } = new URL(url);
  const loopback = hostname === "127.0.0.1" || hostname === "[::1]";
  return loopback ? [origin, new URL(`${protocol}//localhost:${port}`).origin] : [origin];
}
