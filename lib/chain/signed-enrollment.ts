import { and, eq, inArray } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual, keccak256 } from "viem";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { keyBehind } from "@/lib/ledger/prepare/signature";
import { isWalletSignature } from "./erc1271";
import { ledgerCallOf } from "./ledger-call";
import { scopeOf } from "./scope-of";

/**
 * What a wallet has signed: its account's viewing key, or its owner if it is an agent, which reads with the owner's
 * key.
 */
type SignedEnrollment = { viewingKey: Hex } | { owner: Address };

/**
 * Returns what the pending enrollments of an address say. Only what the address's own wallet has signed counts, never
 * other columns of the row. Returns null if there is none.
 */
export async function signedEnrollment(chainId: ChainId, address: Address): Promise<SignedEnrollment | null> {
  const scope = await scopeOf(chainId);
  const pending = await db()
    .select({ data: operations.data })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.account, address),
        eq(operations.status, "pending"),
        inArray(operations.kind, ["enroll", "enroll_agent"]),
      ),
    );
  for (const { data } of pending) {
    const says = await read(scope, chainId, address, data);
    if (says) return says;
  }
  return null;
}

async function read(scope: Scope, chainId: ChainId, address: Address, data: Hex): Promise<SignedEnrollment | null> {
  const call = ledgerCallOf(data);
  if (call?.functionName === "enroll") {
    const [{ account, encryptedAccountKey, ...rest }, signature] = call.args;
    if (!isAddressEqual(account, address)) return null;
    const message = { account, ...rest, encryptedAccountKeyHash: keccak256(encryptedAccountKey), nonce: 0n };
    const { digest } = signRequestOf(scope, "Enroll", message);
    const isSigned = await isWalletSignature(chainId, address, digest, signature);
    return isSigned ? { viewingKey: rest.viewingKey } : null;
  }
  if (call?.functionName === "enrollAgent") {
    const [agent, owner, deadline, , signature] = call.args;
    const { digest } = signRequestOf(scope, "EnrollAgent", { agent, owner, nonce: 0n, deadline });
    // An agent's wallet is always a key, never a contract.
    const isSigned = isAddressEqual(agent, address) && (await keyBehind(digest, signature)) === address;
    return isSigned ? { owner: owner.toLowerCase() as Address } : null;
  }
  return null;
}
