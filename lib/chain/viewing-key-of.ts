import type { Address } from "viem";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { reportTampering } from "@/lib/base/telemetry/report-tampering";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { isUsableViewingKey } from "@/lib/ledger/crypto/hpke";
import { agreed } from "./agreed";
import { chainEnv } from "./clients";
import { type RegistryRecord, readRecord } from "./registry";
import { signedEnrollment } from "./signed-enrollment";

/** A viewing key that is safe to encrypt to with HPKE, and whether its enrollment is still under way. */
export interface ReceivingKey {
  viewingKey: Uint8Array;
  pending: boolean;
}

const KEPT = 50_000;
const registered = new Map<string, Uint8Array>();
/** Caches whether a key is safe to use with HPKE. Checking takes a multiplication on the curve, about a millisecond. */
const usable = new WeakMap<Uint8Array, boolean>();

/**
 * Returns the viewing key of an address (an agent's is its owner's), or null if nothing can be encrypted to it: it is
 * not enrolled, or its key would not keep anything secret. The key comes from the ledger's registry, where it never
 * changes, or until the enrollment is mined from what the address's wallet signed. The database's record is only
 * compared with it: someone who can write rows must not choose who can read a payment.
 *
 * @param read the database's record, if the caller has just read it
 * @throws ApiError `unavailable` if the chain can't be reached, two providers differ, or the database's record does
 */
export async function viewingKeyOf(
  chainId: ChainId,
  address: Address,
  read?: RegistryRecord,
): Promise<ReceivingKey | null> {
  // In this order: otherwise an enrollment that is mined between the two reads would seem to be missing on chain.
  const record = read ?? (await readRecord(chainId, address));
  const onChain = await registeredKey(chainId, address);
  if (!record && !onChain) return null;
  const signed = !onChain && record?.pending ? await signedKey(chainId, address) : null;
  // What was pending a moment ago may have settled by now, so ask the registry again.
  const viewingKey = onChain ?? signed ?? (await registeredKey(chainId, address));
  if (!viewingKey || (record && !equalBytes(fromHex(record.viewingKey), viewingKey))) {
    // Should it be the node that is wrong, it is asked again.
    registered.delete(`${chainId}/${address}`);
    reportTampering("viewing_key", { chainId, address });
    throw new ApiError(
      "unavailable",
      "The service's record of an account differs from the ledger. Nothing was paid, and the operators have been alerted.",
      { retryAfter: 60 },
    );
  }
  return isUsable(viewingKey) ? { viewingKey, pending: !onChain || record?.pending === true } : null;
}

function isUsable(viewingKey: Uint8Array): boolean {
  const known = usable.get(viewingKey) ?? isUsableViewingKey(viewingKey);
  usable.set(viewingKey, known);
  return known;
}

/**
 * Returns the viewing key that the wallet of a pending enrollment has signed. An agent names its owner, whose
 * enrollment may be pending too.
 */
async function signedKey(chainId: ChainId, address: Address): Promise<Uint8Array | null> {
  let says = await signedEnrollment(chainId, address);
  if (says && "owner" in says) {
    const owners = await registeredKey(chainId, says.owner);
    if (owners) return owners;
    says = await signedEnrollment(chainId, says.owner);
  }
  // An agent can't be the owner of another agent.
  return says && "viewingKey" in says ? fromHex(says.viewingKey) : null;
}

/** Returns the key in the registry, cached for the life of the process; null if there is no record. */
async function registeredKey(chainId: ChainId, address: Address): Promise<Uint8Array | null> {
  const name = `${chainId}/${address}`;
  const known = registered.get(name);
  if (known) return known;
  const viewingKey = fromHex(await askRegistry(chainId, address));
  if (viewingKey.every((byte) => byte === 0)) return null;
  const oldest = registered.size >= KEPT ? registered.keys().next().value : undefined;
  if (oldest) registered.delete(oldest);
  registered.set(name, viewingKey);
  return viewingKey;
}

async function askRegistry(chainId: ChainId, address: Address) {
  try {
    const { ledger } = chainEnv(chainId);
    const query = { address: ledger, abi: ledgerAbi, functionName: "account", args: [address] } as const;
    return await agreed(
      chainId,
      `the viewing key of ${address}`,
      async (client) => (await client.readContract(query)).viewingKey,
    );
  } catch (cause) {
    throw new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", {
      cause,
      retryAfter: 1,
    });
  }
}
