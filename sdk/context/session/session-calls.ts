import type { Http, HttpRequest } from "../../api/http";

/** The routes that take a session, called for a signed-in wallet. */
export interface SessionCalls {
  get<T>(path: string, query?: HttpRequest["query"]): Promise<T>;
  post<T>(path: string, json?: unknown, query?: HttpRequest["query"]): Promise<T>;
  /** Reads with a body, over POST. */
  readBy<T>(path: string, json: unknown): Promise<T>;
  delete<T>(path: string, json?: unknown, query?: HttpRequest["query"]): Promise<T>;
  /**
   * Calls a route with any method.
   *
   * @throws ApiCallError, with code `unauthorized` when there is no session
   */
  call<T>(method: string, path: string, request: HttpRequest): Promise<T>;
  /** Returns the same session, with the limits of one call. */
  over(http: Http): SessionCalls;
}

/** The base class of all sessions: implements the other methods with `call`. */
export abstract class Calls implements SessionCalls {
  abstract call<T>(method: string, path: string, request: HttpRequest): Promise<T>;
  abstract over(http: Http): SessionCalls;

  get<T>(path: string, query: HttpRequest["query"] = {}): Promise<T> {
    return this.call<T>("GET", path, { query });
  }

  post<T>(path: string, json: unknown = {}, query: HttpRequest["query"] = {}): Promise<T> {
    return this.call<T>("POST", path, { json, query });
  }

  readBy<T>(path: string, json: unknown): Promise<T> {
    return this.call<T>("POST", path, { json, reads: true });
  }

  delete<T>(path: string, json: unknown = {}, query: HttpRequest["query"] = {}): Promise<T> {
    return this.call<T>("DELETE", path, { json, query });
  }
}

/**
 * The session of a page on the service's own origin: the browser adds the cookie itself. It does not sign in; once the
 * session has ended, every call throws `unauthorized`.
 */
export class CookieSession extends Calls {
  constructor(
    private readonly http: Http,
    private readonly network: string,
  ) {
    super();
  }

  override over(http: Http): CookieSession {
    return new CookieSession(http, this.network);
  }

  override async call<T>(method: string, path: string, request: HttpRequest): Promise<T> {
    const query = { network: this.network, ...request.query };
    return (await this.http.send(method, path, { ...request, query })).body as T;
  }
}
