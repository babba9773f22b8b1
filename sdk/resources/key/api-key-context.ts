import type { Network } from "@/lib/base/network";
import { AbortableCall } from "../../api/abortable-call";
import type { Call } from "../../api/call";
import type { CallOptions } from "../../api/call-options";
import { checkApiKey } from "../../api/check-api-key";
import { HalcyonError } from "../../api/errors";
import type { Http } from "../../api/http";
import type { KeyContext } from "../../context/key-context";

/** The context of a client that has only an API key: no wallet, no chain. */
export class ApiKeyContext implements KeyContext {
  readonly http: Http;
  readonly hasWallet = false;
  readonly hasApiKey = true;

  constructor(
    http: Http,
    private readonly network: Network,
    private readonly apiKey: string | undefined,
    readonly call: Call = http.call,
  ) {
    this.http = http.within(call);
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${checkApiKey(this.apiKey, this.network)}` };
  }

  within(options: CallOptions | undefined): ApiKeyContext {
    if (options === undefined) return this;
    return new ApiKeyContext(this.http, this.network, this.apiKey, new AbortableCall(options, this.call));
  }

  session(): Promise<never> {
    return Promise.reject(needsWallet());
  }

  account(): Promise<never> {
    return Promise.reject(needsWallet());
  }
}

/** Creates the error for a call that an API key alone can't make. */
export function needsWallet(): HalcyonError {
  return new HalcyonError("unauthorized", 'This needs the wallet: use Halcyon of "@halcyon/sdk".');
}
