import type { Address } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { ApiError } from "@/lib/errors";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { isUsableViewingKey } from "@/lib/ledger/crypto/hpke";
import type { ChainId } from "@/lib/network";
import { reportTampering } from "@/lib/telemetry/report-tampering";
import { chainEnv, publicClient } from "./clients";
import { readRecord } from "./registry";
import { signedEnrolment } from "./signed-enrolment";

/** A viewing key that HPKE may seal to, and whether its enrolment is still under way. */
export interface ReceivingKey {
  viewingKey: Uint8Array;
  pending: boolean;
}

const KEPT = 50_000;
const registered = new Map<string, Uint8Array>();
/** Whether HPKE may seal to a remembered key: a multiplication on the curve, which costs a millisecond. */
const usable = new WeakMap<Uint8Array, boolean>();

/**
 * The viewing key of an address, an agent's its owner's, or null when nothing can be sealed to it: not enrolled, or
 * with a key nothing sealed to would be secret. The ledger's registry says so, which never changes it; until an
 * enrolment is mined, what its wallet signed. The database's own record is only compared: someone who writes rows must
 * not choose who reads a payment.
 *
 * @throws ApiError `unavailable` when the chain cannot be asked, or when the record says something else
 */
export async function viewingKeyOf(chainId: ChainId, address: Address): Promise<ReceivingKey | null> {
  // One after the other: an enrolment that is mined between the two looks must not seem to be missing from the chain.
  const record = await readRecord(chainId, address);
  const onChain = await registeredKey(chainId, address);
  if (!record && !onChain) return null;
  const signed = !onChain && record?.pending ? await signedKey(chainId, address) : null;
  // What was under way a moment ago may have settled since.
  const viewingKey = onChain ?? signed ?? (await registeredKey(chainId, address));
  if (!viewingKey || (record && !equalBytes(fromHex(record.viewingKey), viewingKey))) {
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

/** What the wallet of an enrolment under way has signed; an agent's names an owner, who may be under way as well. */
async function signedKey(chainId: ChainId, address: Address): Promise<Uint8Array | null> {
  let says = await signedEnrolment(chainId, address);
  if (says && "owner" in says) {
    const owners = await registeredKey(chainId, says.owner);
    if (owners) return owners;
    says = await signedEnrolment(chainId, says.owner);
  }
  // An agent's owner is no agent.
  return says && "viewingKey" in says ? fromHex(says.viewingKey) : null;
}

/** What the registry holds, remembered for as long as the process lives; null without a record. */
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
    const { viewingKey } = await publicClient(chainId).readContract({
      address: chainEnv(chainId).ledger,
      abi: ledgerAbi,
      functionName: "account",
      args: [address],
    });
    return viewingKey;
  } catch (cause) {
    throw new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", {
      cause,
      retryAfter: 1,
    });
  }
}
