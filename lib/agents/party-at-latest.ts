import { type Address, isAddressEqual, zeroHash } from "viem";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { batchingClient, chainEnv } from "@/lib/chain/clients";
import { withRpcTimeout } from "@/lib/chain/with-rpc-timeout";
import { NO_END } from "@/lib/ledger/authority/authority-limits";
import type { LedgerParty, LedgerRecord } from "@/lib/ledger/authority/ledger-record";

/** The holder of a policy: an account, or an agent with its owner. */
export type PolicyHolder = Pick<ContextAccount, "id" | "address" | "rootAddress">;

/**
 * Returns a policy's holder as the ledger has it in its newest block, regardless of any database row. An agent whose
 * enrollment is still under way counts as enrolled: whatever follows is checked against its owner's record.
 */
export async function partyAtLatest(
  chainId: ChainId,
  { address, rootAddress }: Pick<PolicyHolder, "address" | "rootAddress">,
): Promise<LedgerParty> {
  if (isAddressEqual(address, rootAddress)) return { address, record: await recordAtLatest(chainId, address) };
  const [found, owner] = await Promise.all([recordAtLatest(chainId, address), recordAtLatest(chainId, rootAddress)]);
  const record =
    found.viewingKey === zeroHash
      ? { ...found, owner: rootAddress, signer: address, until: NO_END, limited: true }
      : found;
  return { address, record, owner: { address: rootAddress, record: owner } };
}

async function recordAtLatest(chainId: ChainId, who: Address): Promise<LedgerRecord> {
  const query = { address: chainEnv(chainId).ledger, abi: ledgerAbi, functionName: "account", args: [who] } as const;
  return withRpcTimeout(chainId, () => batchingClient(chainId).readContract(query));
}
