import type { Address } from "viem";
import type { ChainId, Network } from "@/lib/base/network";
import type { ContextAccount } from "./context";

/** The network and the origin of a request. */
export interface RequestOrigin {
  network: Network;
  chainId: ChainId;
  requestId: string;
  clientAddress: string | null;
}

/** A signed-in wallet, which may have no account yet. */
export interface WalletContext extends RequestOrigin {
  actor: "wallet";
  /** Lower case. */
  address: Address;
  sessionId: string;
  account: ContextAccount | null;
  /** When the session expires. Set only if the request carried a session cookie. */
  sessionEndsAt?: Date;
}
