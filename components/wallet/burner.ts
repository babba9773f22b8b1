import type { EIP1193Provider, Hex } from "viem";
import { createConnector } from "wagmi";
import type { LocalChain } from "./create-local-provider";

/** Id of the connector. */
export const BURNER = "burner";
const KEY = "halcyon.test-wallet";

/** Returns the key of this browser's test wallet, or null if it was never used here. */
export function burnerKey(): Hex | null {
  return localStorage.getItem(KEY) as Hex | null;
}

/** Loads the wallet's code when it is used. */
const load = () => import("./burner-account");

async function ownKey(): Promise<Hex> {
  const known = burnerKey();
  if (known) return known;
  const { newKey } = await load();
  const key = newKey();
  localStorage.setItem(KEY, key);
  return key;
}

/**
 * A wallet whose key is in this browser's storage, readable by anyone who uses the browser. For the test money of a
 * local stack, so that a newcomer needs no extension. It signs without a prompt of its own.
 */
export function burner(chain: LocalChain) {
  return createConnector<EIP1193Provider>((config) => {
    let provider: EIP1193Provider | undefined;
    const getProvider = async () => {
      // Also called before anyone chose this wallet, to see whether to reconnect, so it must not create a key.
      const key = burnerKey();
      if (!key) throw new Error("The test wallet was never used here.");
      provider ??= (await load()).providerOf(key, chain);
      return provider;
    };
    const accounts = async () => {
      const { addressOfKey } = await load();
      return [addressOfKey(await ownKey())] as const;
    };
    return {
      id: BURNER,
      name: "Test wallet in this browser",
      type: BURNER,
      connect: async ({ withCapabilities } = {}) => {
        const [address] = await accounts();
        // The result's shape depends on a type parameter that only the caller knows.
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
