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

/** Loads the elliptic-curve code ahead of time, by checking an invalid signature and ignoring the error. */
export function loadCurve(): void {
  recoverPublicKey({ hash: zeroHash, signature: `0x${"00".repeat(65)}` }).catch(() => {});
}

/**
 * Checks that the signed-in account signed, because a wallet may sign with whichever account is active. For a contract
 * wallet (ERC-1271) the signer can't be recovered, even if the signature is 65 bytes of one of its owners: the
 * contract's own code checks it on the ledger.
 *
 * @param isContract whether the owner's address has code
 * @throws HalcyonError `unauthorized` for another account's signature; `invalid_request` if a contract has to unlock
 */
export async function requireConnectedSigner(
  data: TypedDataDefinition,
  signature: Hex,
  owner: Address,
  isContract: boolean,
): Promise<void> {
  const isKeys = signature.length === 132 || signature.length === 130;
  const signer = isKeys ? await recoverTypedDataAddress({ ...data, signature }).catch(() => null) : null;
  // Also true for an account with code of its own (EIP-7702), which keeps its key.
  if (signer && isAddressEqual(signer, owner)) return;
  if (signer && !isContract) throw wrongWallet(owner, signer);
  if (data.primaryType !== "Unlock") return;
  throw new HalcyonError(
    "invalid_request",
    "A contract wallet signs differently each time, so it can't unlock an account. Use the recovery code.",
  );
}
