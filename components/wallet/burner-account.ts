import type { EIP1193Provider, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { createLocalProvider, type LocalChain } from "./create-local-provider";

/** Returns a new key for the test wallet. */
export const newKey = generatePrivateKey;

/** Returns the address of a key. */
export const addressOfKey = privateKeyToAddress;

/** Returns a provider that signs with a key. */
export function providerOf(key: Hex, chain: LocalChain): EIP1193Provider {
  return createLocalProvider(privateKeyToAccount(key), chain);
}
