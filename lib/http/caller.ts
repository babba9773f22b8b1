import type { Address } from "viem";
import type { ChainId } from "@/lib/base/network";

/** The caller for rate limits: an API key or session, and the account it belongs to. */
export interface Caller {
  kind: "api_key" | "session";
  /** Id of the key or session. */
  id: string;
  chainId: ChainId;
  /** Address of the account; for an agent its owner's, for a wallet without an account its own. */
  root: Address;
  /** Whether it is a key of an agent. */
  ofAgent?: boolean;
}
