import type { EIP1193Provider, Hex } from "viem";
import { createConnector } from "wagmi";
import type { LocalChain } from "./create-local-provider";

/** Id of the connector. */
export const BURNER = "burner";
const KEY = "halcyon.test-wallet";

/** The key of this browser's test wallet; null when it was never used here. */
export function burnerKey(): Hex | null {
  return localStorage.getItem(KEY) as Hex | null;
}

/** Its curve and its client: loaded when this wallet is used. */
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
      provider ??= (await load()).providerOf(key, chain);
      return provider;
    };
    const accounts = async () => {
      const { addressOf } = await load();
      return [addressOf(await ownKey())] as const;
    };
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
