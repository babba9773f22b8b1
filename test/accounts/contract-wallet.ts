import type { Address } from "viem";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";
import { deployWalletOn } from "./deploy-wallet";

/** Deploys a contract wallet of `contracts/test/helpers/Wallets.sol` on a local chain. Returns its address. */
export function deployWallet(chainId: ChainId, name: string, args: readonly unknown[] = []): Promise<Address> {
  return deployWalletOn(chainEnv(chainId).rpcUrl, name, args);
}
