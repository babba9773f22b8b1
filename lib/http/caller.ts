import type { Address } from "viem";
import type { ChainId } from "@/lib/network";

/** Who asks, as limits count: an API key or a session, and whose it is. */
export interface Caller {
  kind: "api_key" | "session";
  /** Of the key or session. */
  id: string;
  chainId: ChainId;
  /** Address of the account, of an agent its owner's; of a wallet without one its own. */
  root: Address;
}
