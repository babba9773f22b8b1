import { type Address, BaseError, encodeFunctionData, type Hex, isAddressEqual, parseAbi, toHex } from "viem";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { keyBehind } from "@/lib/ledger/prepare/signature";
import { agreed } from "./agreed";
import { chainEnv } from "./clients";
import { CONTRACT_WALLET_GAS } from "./gas";

const abi = parseAbi(["function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)"]);
/** The return value for a valid signature: the function's selector, padded with zeros. */
const MAGIC: Hex = `0x1626ba7e${"00".repeat(28)}`;

/**
 * Reports whether the ledger accepts a signature as a wallet's: by the wallet's own key, or by its contract.
 *
 * @throws ApiError `unavailable` if the chain has to be asked and can't be reached
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
 * Reports whether a contract wallet accepts a signature (ERC-1271), asked at the newest block in the same way as the
 * ledger asks: with the ledger as the caller, no more gas than in its call, and only one word of the response read.
 * False for an address without code.
 *
 * @throws ApiError `unavailable` if the chain can't be reached
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
    // Each provider says for itself whether the wallet's code failed: one alone refuses no signature.
    return await agreed(chainId, `isValidSignature of ${wallet}`, async (client) => {
      try {
        const response = await client.request({ method: "eth_call", params: [call, "latest"] });
        return response.slice(0, MAGIC.length).toLowerCase() === MAGIC;
      } catch (error) {
        if (failedInTheWallet(error)) return false;
        throw error;
      }
    });
  } catch (cause) {
    throw new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", {
      cause,
      retryAfter: 1,
    });
  }
}

/**
 * Reports whether the wallet's code failed. Nodes phrase this in many ways, for example as a revert or as out of gas.
 */
function failedInTheWallet(error: unknown): boolean {
  const said = error instanceof BaseError ? error.details : "";
  return /revert|out of ?gas|opcode|invalid jump|stack (under|over)flow|EVM error/i.test(said);
}
