import type { Hex } from "viem";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";

/** An owner with an available balance, as stored with the services in which it was created. */
export interface PreparedOwner {
  chainId: ChainId;
  /** Its available balance in USDG, in units. */
  units: string;
  account: Omit<ContextAccount, "createdAt"> & { createdAt: string };
  walletKey: Hex;
  accountKey: Hex;
}

const ofProcess = globalThis as typeof globalThis & { halcyonPreparedOwners?: PreparedOwner[] };

/** Makes owners available that exist in this process's services. */
export function offerPrepared(owners: readonly PreparedOwner[]): void {
  ofProcess.halcyonPreparedOwners = [...owners];
}

/** Returns a prepared owner with exactly this available balance that no one has taken yet, or undefined. */
export function takePrepared(chainId: ChainId, units: bigint): PreparedOwner | undefined {
  const owners = ofProcess.halcyonPreparedOwners ?? [];
  const at = owners.findIndex((owner) => owner.chainId === chainId && owner.units === units.toString());
  return at < 0 ? undefined : owners.splice(at, 1)[0];
}
