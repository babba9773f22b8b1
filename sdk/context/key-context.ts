import type { OwnAccount } from "../api/api-types";
import type { Call } from "../api/call";
import type { CallOptions } from "../api/call-options";
import type { Http } from "../api/http";
import type { SessionCalls } from "../session/session-calls";

/** What calls need that an API key alone can make. `Context` is one, and so is that of a client without wallet and chain. */
export interface KeyContext {
  readonly http: Http;
  readonly call: Call;
  readonly hasWallet: boolean;
  readonly hasApiKey: boolean;
  /** The headers of the API key. Throws `unauthorized` without one. */
  readonly bearer: Record<string, string>;
  within(options: CallOptions | undefined): KeyContext;
  session(): Promise<SessionCalls>;
  account(): Promise<OwnAccount>;
}
