import { type Address, type Hex, isAddressEqual, recoverTypedDataAddress, type TypedDataDefinition } from "viem";
import { HalcyonError } from "@/sdk/api/errors";

/** That another account is active in the wallet than the session's. */
export function wrongWallet(expected: Address, found: Address): HalcyonError {
  return new HalcyonError(
    "unauthorized",
    `You are signed in as ${expected}, but the wallet uses ${found}. Choose the first address in the wallet, or sign ` +
      "out and sign in with the second.",
  );
}

/**
 * Who signed must be who is signed in: wallets may sign with whichever account is active. What a contract wallet returns
 * (ERC-1271) says nothing of it, also where it is 65 bytes of one of its signers: its own code checks it, on the ledger.
 *
 * @param isContract whether code stands at the owner's address
 * @throws HalcyonError `unauthorized` for another account's signature; `invalid_request` where a contract is to unlock
 */
export async function requireSigner(
  data: TypedDataDefinition,
  signature: Hex,
  owner: Address,
  isContract: boolean,
): Promise<void> {
  const isKeys = signature.length === 132 || signature.length === 130;
  const signer = isKeys ? await recoverTypedDataAddress({ ...data, signature }).catch(() => null) : null;
  // Also of an account with code of its own (EIP-7702), which keeps its key.
  if (signer && isAddressEqual(signer, owner)) return;
  if (signer && !isContract) throw wrongWallet(owner, signer);
  if (data.primaryType !== "Unlock") return;
  throw new HalcyonError(
    "invalid_request",
    "A contract wallet signs differently each time, so it can't unlock an account. Use the recovery code.",
  );
}
