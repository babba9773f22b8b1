import { type Address, BaseError, encodeFunctionData, type Hex, isAddressEqual, parseAbi, toHex } from "viem";
import { ApiError } from "@/lib/errors";
import { keyBehind } from "@/lib/ledger/prepare/signature";
import type { ChainId } from "@/lib/network";
import { chainEnv, publicClient } from "./clients";
import { CONTRACT_WALLET_GAS } from "./gas";

const abi = parseAbi(["function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)"]);
/** The word that says yes: the function's selector, then zeros. */
const MAGIC: Hex = `0x1626ba7e${"00".repeat(28)}`;

/**
 * Whether the ledger takes a signature for a wallet's: its own key's, else what its code accepts.
 *
 * @throws ApiError `unavailable` when the chain has to be asked and cannot be
 */
export async function isWalletSignature(
  chainId: ChainId,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const key = await keyBehind(digest, signature);
  return (key !== null && isAddressEqual(key, wallet)) || isValidSignature(chainId, wallet, digest, signature);
}

/**
 * Whether a contract wallet stands behind a signature (ERC-1271), as the ledger asks it at the newest block: with the
 * ledger as the caller, no more gas than its call will have, and one word of the response read. False for an address
 * without code.
 *
 * @throws ApiError `unavailable` when the chain cannot be asked
 */
export async function isValidSignature(
  chainId: ChainId,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  try {
    const data = encodeFunctionData({ abi, functionName: "isValidSignature", args: [digest, signature] });
    const call = { from: chainEnv(chainId).ledger, to: wallet, data, gas: toHex(CONTRACT_WALLET_GAS) };
    const response = await publicClient(chainId).request({ method: "eth_call", params: [call, "latest"] });
    return response.slice(0, MAGIC.length).toLowerCase() === MAGIC;
  } catch (cause) {
    if (failedInTheWallet(cause)) return false;
    throw new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", {
      cause,
      retryAfter: 1,
    });
  }
}

/** Nodes word a failed call in many ways; a revert is one of them, gas that ran out another. */
function failedInTheWallet(error: unknown): boolean {
  const said = error instanceof BaseError ? error.details : "";
  return /revert|out of ?gas|opcode|invalid jump|stack (under|over)flow|EVM error/i.test(said);
}
