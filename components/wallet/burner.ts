import type { Address, EIP1193Provider, Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { createConnector } from "wagmi";
import { createLocalProvider, type LocalChain } from "./create-local-provider";

/** Id of the connector. */
export const BURNER = "burner";
const KEY = "halcyon.test-wallet";

/** The key of this browser's test wallet; null when it was never used here. */
export function burnerKey(): Hex | null {
  return localStorage.getItem(KEY) as Hex | null;
}

/** The address of this browser's test wallet; null when it was never used here. */
export function burnerAddress(): Address | null {
  const key = burnerKey();
  return key && privateKeyToAddress(key);
}

function ownKey(): Hex {
  const known = burnerKey();
  if (known) return known;
  const key = generatePrivateKey();
  localStorage.setItem(KEY, key);
  return key;
}

/**
 * A wallet whose key lies in this browser's storage, readable by anyone who uses the browser: for the play money of a
 * local stack, so that a newcomer needs no extension. It signs without a window of its own.
 */
export function burner(chain: LocalChain) {
  return createConnector<EIP1193Provider>((config) => {
    let provider: EIP1193Provider | undefined;
    const getProvider = async () => {
      // Asked before anyone chose this wallet, to see whether to reconnect: that must not make one.
      const key = burnerKey();
      if (!key) throw new Error("The test wallet was never used here.");
      provider ??= createLocalProvider(privateKeyToAccount(key), chain);
      return provider;
    };
    const accounts = async () => [privateKeyToAddress(ownKey())] as const;
    return {
      id: BURNER,
      name: "Test wallet in this browser",
      type: BURNER,
      connect: async ({ withCapabilities } = {}) => {
        const [address] = await accounts();
        // The shape depends on a type parameter that only the caller knows.
        const list = withCapabilities ? [{ address, capabilities: {} }] : [address];
        return { accounts: list as never, chainId: chain.id };
      },
      disconnect: async () => {},
      getAccounts: accounts,
      getChainId: async () => chain.id,
      getProvider,
      isAuthorized: async () => burnerKey() !== null,
      onAccountsChanged: () => {},
      onChainChanged: () => {},
      onDisconnect: () => config.emitter.emit("disconnect"),
    };
  });
}
