import type { Call } from "../../api/call";
import { HalcyonError } from "../../api/errors";
import { Http, type HttpRequest, type HttpResponse } from "../../api/http";
import type { Account } from "../../api/resources/accounts";
import { type Shared, share } from "../../api/share";

/** The requests that a key of scope `read` may send besides GET. */
const READS = new Set(["/v1/accounts/me/balances", "/v1/transfers?dry_run"]);
/** The requests that a key of scope `requests` may send besides: they move no money. */
const REQUESTS = /^\/v1\/payment-requests(\/|$)/;
const HARMLESS = ["read", "requests"];

/**
 * The HTTP client with a viewing key. It sends only reads and payment requests with an API key, and only after the
 * service has confirmed that the key can do nothing else. A service that lies about that gains nothing, because it has
 * the key anyway.
 */
export class ReadOnlyHttp extends Http {
  /** The state that all calls of the client share. */
  private checked: Shared<void> = {};

  override within(call: Call): ReadOnlyHttp {
    const one = new ReadOnlyHttp(this.baseUrl, this.settings, call, this.seen);
    one.checked = this.checked;
    return one;
  }

  override async send(method: string, path: string, request: HttpRequest = {}): Promise<HttpResponse> {
    if (request.headers?.authorization === undefined) return super.send(method, path, request);
    const dry = request.query?.dry_run === undefined ? "" : "?dry_run";
    if (method !== "GET" && !READS.has(path + dry) && !REQUESTS.test(path)) throw readOnlyRefusal();
    const { authorization } = request.headers;
    await share(this.call, this.checked, () => this.requireReadKey(authorization));
    return super.send(method, path, request);
  }

  private async requireReadKey(authorization: string): Promise<void> {
    const { body } = await super.send("GET", "/v1/accounts/me", { headers: { authorization } });
    const scopes = (body as Partial<Account> | undefined)?.key?.scopes;
    if (Array.isArray(scopes) && scopes.includes("read") && scopes.every((scope) => HARMLESS.includes(scope))) return;
    const more = Array.isArray(scopes) ? `has the scopes ${scopes.join(", ")}` : "may do everything";
    throw new HalcyonError(
      "key_forbidden",
      `This API key ${more}, and a client with a viewing key should only read. Create a key for it with ` +
        "`halcyon keys create --label shop --scope read-only`, or set `allowSpendingKey: true`.",
    );
  }
}

/** Creates the error for everything that a viewing key can't do. */
export function readOnlyRefusal(): HalcyonError {
  return new HalcyonError(
    "key_forbidden",
    "A client with a viewing key only reads. To change something, use one with the wallet or an API key of that scope.",
  );
}
