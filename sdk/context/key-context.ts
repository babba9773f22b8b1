import type { OwnAccount } from "../api/api-types";
import type { Call } from "../api/call";
import type { CallOptions } from "../api/call-options";
import type { Http } from "../api/http";
import type { SessionCalls } from "./session/session-calls";

/**
 * The context for calls that need only an API key. `Context` implements it, and so does the client without wallet and
 * chain.
 */
export interface KeyContext {
  readonly http: Http;
  readonly call: Call;
  readonly hasWallet: boolean;
  readonly hasApiKey: boolean;
  /** The headers for the API key. Throws `unauthorized` without a key. */
  readonly bearer: Record<string, string>;
  within(options: CallOptions | undefined): KeyContext;
  session(): Promise<SessionCalls>;
  account(): Promise<OwnAccount>;
}
