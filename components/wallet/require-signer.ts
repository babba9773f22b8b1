import {
  type Address,
  type Hex,
  isAddressEqual,
  recoverPublicKey,
  recoverTypedDataAddress,
  type TypedDataDefinition,
  zeroHash,
} from "viem";
import { HalcyonError } from "@/sdk/api/errors";
import { wrongWallet } from "./wrong-wallet";

/** Has the curve loaded, which otherwise comes once there is a signature to check: one of no one fails, and that is all. */
export function loadCurve(): void {
  recoverPublicKey({ hash: zeroHash, signature: `0x${"00".repeat(65)}` }).catch(() => {});
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
