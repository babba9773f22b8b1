import type { Page } from "@playwright/test";
import { type Address, createWalletClient, type Hex, http, isHex, numberToHex, type TypedDataDefinition } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** What the page asked the wallet for, in order. */
export interface WalletRequest {
  method: string;
  params: unknown[];
}

export interface InjectedWallet {
  address: Address;
  requests: WalletRequest[];
  /** Switches the wallet to another account, as a person would in its window. */
  use(key: Hex): void;
  /**
   * Lets signatures of messages, and requests for access and for another chain, wait until the returned function is
   * called, as if the person did not look at the wallet.
   */
  pause(): () => void;
  /** Whether the wallet declines everything it is asked to sign, as a person would. */
  declining: boolean;
}

export const WALLET_NAME = "Vigil Wallet";
export const CHAINS: Record<number, string | undefined> = {
  46630: process.env.RPC_URL_46630,
  4663: process.env.RPC_URL_4663,
};

/**
 * Injects a real wallet into the page: an EIP-6963 provider whose key and signing stay in Node. It responds at once,
 * where a person would read and press.
 *
 * @param options.chainId the initial chain; it adds others when asked
 * @param options.contract address of the contract wallet that the key signs for
 */
export async function injectWallet(
  page: Page,
  key: Hex,
  options: { chainId?: number; contract?: Address } = {},
): Promise<InjectedWallet> {
  let current = key;
  let paused = Promise.resolve();
  let chainId = options.chainId ?? 46630;
  const account = () => privateKeyToAccount(current);
  const shown = () => options.contract ?? account().address;
  const emit = (event: string, value: unknown) =>
    page.evaluate(([name, what]) => dispatchEvent(new CustomEvent(`vigil:${name}`, { detail: what })), [event, value]);
  const wallet: InjectedWallet = {
    address: shown(),
    requests: [],
    declining: false,
    pause: () => {
      let go = () => {};
      paused = new Promise((resolve) => {
        go = resolve;
      });
      return go;
    },
    use: (next) => {
      current = next;
      wallet.address = shown();
      void emit("accountsChanged", [wallet.address]).catch(() => {});
    },
  };
  const refuse = (code: number, message: string) => Object.assign(new Error(message), { code });
  const signing = () => {
    if (wallet.declining) throw refuse(4001, "User rejected the request.");
  };
  const methods: Record<string, (params: never) => unknown> = {
    eth_accounts: () => [shown()],
    eth_requestAccounts: async () => {
      await paused;
      return [shown()];
    },
    eth_chainId: () => numberToHex(chainId),
    wallet_switchEthereumChain: async ([{ chainId: next }]: [{ chainId: Hex }]) => {
      await paused;
      chainId = Number(next);
      void emit("chainChanged", next).catch(() => {});
      return null;
    },
    personal_sign: async ([data]: [string]) => {
      await paused;
      signing();
      return account().signMessage({ message: isHex(data) ? { raw: data } : data });
    },
    eth_signTypedData_v4: ([, text]: [Hex, string]) => {
      signing();
      const typed = JSON.parse(text) as TypedDataDefinition;
      // Like real wallets, refuse typed data for a chain other than the active one.
      const wanted = typed.domain?.chainId;
      if (wanted !== undefined && Number(wanted) !== chainId) throw refuse(-32603, "Provided chainId must match");
      return account().signTypedData(typed);
    },
    eth_sendTransaction: ([{ to, data, value }]: [{ to: Hex; data?: Hex; value?: Hex }]) => {
      signing();
      const client = createWalletClient({ account: account(), transport: http(CHAINS[chainId]) });
      return client.sendTransaction({ to, data, value: value ? BigInt(value) : undefined, chain: null });
    },
  };
  await page.exposeFunction("vigilRequest", async (method: string, params: unknown[] = []) => {
    wallet.requests.push({ method, params });
    try {
      const perform = methods[method];
      if (!perform) throw refuse(4200, `${method} is not supported`);
      return { result: (await perform(params as never)) ?? null };
    } catch (error) {
      const { code = -32603, message } = error as { code?: number; message: string };
      return { error: { code, message } };
    }
  });
  await page.addInitScript((name) => {
    type Request = (method: string, params?: unknown[]) => Promise<{ result?: unknown; error?: { message: string } }>;
    const heard = new Map<unknown, EventListener>();
    const provider = {
      request: async ({ method, params }: { method: string; params?: unknown[] }) => {
        const { vigilRequest } = window as unknown as { vigilRequest: Request };
        const { result, error } = await vigilRequest(method, params);
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      },
      on: (event: string, listener: (value: unknown) => void) => {
        const hear: EventListener = (each) => listener((each as CustomEvent).detail);
        heard.set(listener, hear);
        addEventListener(`vigil:${event}`, hear);
      },
      removeListener: (event: string, listener: unknown) => {
        const hear = heard.get(listener);
        if (hear) removeEventListener(`vigil:${event}`, hear);
      },
    };
    const svg =
      "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyNCAyNCI+PHJlY3Qgd2lkdGg9IjI0IiBoZWlnaHQ9IjI0IiByeD0iNiIgZmlsbD0iIzNiNGE5YyIvPjxwYXRoIGQ9Ik02IDhsNiA5IDYtOSIgZmlsbD0ibm9uZSIgc3Ryb2tlPSIjZmZmIiBzdHJva2Utd2lkdGg9IjIuNSIvPjwvc3ZnPg==";
    const info = { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name, rdns: "test.vigil", icon: svg };
    const announce = () =>
      dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, WALLET_NAME);
  return wallet;
}

/** Announces a further wallet, which never responds. */
export async function injectSilentWallet(page: Page, name: string): Promise<void> {
  await page.addInitScript((name) => {
    const provider = { request: () => new Promise(() => {}), on: () => {}, removeListener: () => {} };
    const info = {
      uuid: "0d3b5a0c-5d0a-4c5e-9d0f-4b4c1f2f7a11",
      name,
      rdns: "test.silent",
      icon: "data:image/svg+xml,",
    };
    const announce = () =>
      dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, name);
}
