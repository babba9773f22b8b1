import {
  createWalletClient,
  type EIP1193Provider,
  type Hex,
  http,
  isHex,
  type LocalAccount,
  numberToHex,
  RpcError,
  type TypedDataDefinition,
} from "viem";

/** The chain of a local provider. It knows no other. */
export interface LocalChain {
  id: number;
  rpcUrl: string;
}

/** The error code for a chain that the wallet does not have (EIP-1193, EIP-3326). */
const UNKNOWN_CHAIN = 4902;

interface Sent {
  to?: Hex;
  data?: Hex;
  value?: Hex;
}

/**
 * Returns an EIP-1193 provider around an account whose key is available. It signs without a prompt, and forwards
 * unknown methods to the chain.
 */
export function createLocalProvider(account: LocalAccount, chain: LocalChain): EIP1193Provider {
  const client = createWalletClient({ account, transport: http(chain.rpcUrl) });
  const methods: Record<string, (params: never) => unknown> = {
    eth_accounts: () => [account.address],
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => numberToHex(chain.id),
    personal_sign: ([data]: [string]) => account.signMessage({ message: isHex(data) ? { raw: data } : data }),
    eth_signTypedData_v4: ([, typed]: [Hex, string]) => account.signTypedData(JSON.parse(typed) as TypedDataDefinition),
    eth_sendTransaction: ([{ to, data, value }]: [Sent]) =>
      client.sendTransaction({ to, data, value: value === undefined ? undefined : BigInt(value), chain: null }),
    wallet_switchEthereumChain: ([{ chainId }]: [{ chainId: Hex }]) => {
      if (Number(chainId) === chain.id) return null;
      throw new RpcError(new Error("unknown chain"), {
        code: UNKNOWN_CHAIN,
        shortMessage: "This wallet does not have that chain.",
      });
    },
  };
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const perform = methods[method];
    if (perform) return perform(params as never);
    return client.request({ method, params } as never);
  };
  const ignore = () => {};
  // Account and chain never change, so there are no events.
  return { request, on: ignore, removeListener: ignore } as unknown as EIP1193Provider;
}
