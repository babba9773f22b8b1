import type { Address } from "viem";
import type { ChainId, Network } from "@/lib/network";
import type { ContextAccount } from "./context";

/** Where a request acts. */
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
  /** When the session ends by itself; of one that a cookie has brought. */
  sessionEndsAt?: Date;
}
