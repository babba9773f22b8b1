import { custom } from "viem";
import { expect, test, vi } from "vitest";
import { createConfig, createConnector } from "wagmi";
import { connect } from "wagmi/actions";
import { sendTransaction } from "./send-transaction";
import { transactionError } from "./signer";

const account = `0x${"a1".repeat(20)}` as const;
const chain = {
  id: 46630,
  name: "-",
  nativeCurrency: { name: "-", symbol: "-", decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const;

test("a wallet is asked only once to send: what it refuses later never says that nothing was sent", async () => {
  // It reports what nodes report of a transaction they already have.
  const request = vi.fn(async ({ method }: { method: string }) => {
    if (method === "eth_sendTransaction") throw Object.assign(new Error("already known"), { code: -32000 });
    throw Object.assign(new Error("refused"), { code: 4001 });
  });
  const wallet = createConnector(() => ({
    id: "wallet",
    name: "Wallet",
    type: "test",
    connect: async () => ({ accounts: [account] as never, chainId: chain.id }),
    disconnect: async () => {},
    getAccounts: async () => [account],
    getChainId: async () => chain.id,
    getProvider: async () => ({ request }),
    isAuthorized: async () => true,
    onAccountsChanged: () => {},
    onChainChanged: () => {},
    onDisconnect: () => {},
  }));
  const config = createConfig({ chains: [chain], transports: { [chain.id]: custom({ request }) } });
  await connect(config, { connector: wallet } as never);
  const sending = sendTransaction(config, { account, chainId: chain.id, to: account, data: "0x", value: 1n });
  expect(transactionError(await sending.catch((error: unknown) => error))).toMatchObject({ mayHaveHappened: true });
  expect(request.mock.calls.map(([{ method }]) => method)).toEqual(["eth_sendTransaction"]);
});
