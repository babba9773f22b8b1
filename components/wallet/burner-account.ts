import type { EIP1193Provider, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { createLocalProvider, type LocalChain } from "./create-local-provider";

/** A key for the test wallet. */
export const newKey = generatePrivateKey;

/** The address of a key. */
export const addressOf = privateKeyToAddress;

/** What signs with a key. */
export function providerOf(key: Hex, chain: LocalChain): EIP1193Provider {
  return createLocalProvider(privateKeyToAccount(key), chain);
}
