import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { anvil } from "viem/chains";
import { beforeEach, expect, test } from "vitest";
import { type Config, createConfig, createConnector, http, WagmiProvider } from "wagmi";
import { connect } from "wagmi/actions";
import type { SignatureRequest } from "./signature-request";
import { useSigner } from "./signer";

const account = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const { address } = account;
let asked: string[] = [];

/** A wallet of one account that signs whatever it is asked for. */
const provider = {
  request: async ({ method, params }: { method: string; params: [string, string] }): Promise<Hex> => {
    asked.push(method);
    if (method === "personal_sign") return account.signMessage({ message: { raw: params[0] as Hex } });
    return account.signTypedData(JSON.parse(params[1]));
  },
};

const connector = createConnector(() => ({
  ...{ id: "test", name: "Test", type: "test" },
  connect: (async () => ({ accounts: [address], chainId: anvil.id })) as never,
  disconnect: async () => {},
  getAccounts: async () => [address],
  getChainId: async () => anvil.id,
  getProvider: async () => provider,
  isAuthorized: async () => true,
  onAccountsChanged: () => {},
  onChainChanged: () => {},
  onDisconnect: () => {},
}));

type Sign = ReturnType<typeof useSigner>;

function Control({ owner, signers }: { owner: Hex; signers: Sign[] }) {
  signers.push(useSigner(owner));
  return null;
}

/** Returns what signs for an owner's page, with the account's wallet connected. */
async function signerFor(owner: Hex): Promise<Sign> {
  const transports = { [anvil.id]: http() };
  const config: Config = createConfig({ chains: [anvil], connectors: [connector], transports, storage: null });
  await connect(config, { connector: config.connectors[0] ?? connector });
  const signers: Sign[] = [];
  renderToStaticMarkup(
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={new QueryClient()}>
        <Control owner={owner} signers={signers} />
      </QueryClientProvider>
    </WagmiProvider>,
  );
  return signers[0] as Sign;
}

const typedData: SignatureRequest = {
  kind: "typed-data",
  data: {
    domain: { name: "Halcyon", chainId: anvil.id },
    types: { Unlock: [{ name: "account", type: "address" }] },
    primaryType: "Unlock",
    message: { account: address },
  },
};
const message: SignatureRequest = { kind: "message", message: "sign me in" };

beforeEach(() => {
  asked = [];
});

test("a message is signed as a message, typed data as typed data", async () => {
  const sign = await signerFor(address);
  expect(await sign(message, () => true)).toBe(await account.signMessage({ message: "sign me in" }));
  expect(asked).toEqual(["personal_sign"]);
  expect(await sign(typedData, () => true)).toBe(await account.signTypedData(typedData.data as never));
  expect(asked).toEqual(["personal_sign", "eth_signTypedData_v4"]);
});

test("the wallet of another account is asked for nothing, nor is any for what is no longer wanted", async () => {
  const foreign = await signerFor(stranger.address);
  for (const request of [message, typedData])
    await expect(foreign(request, () => true)).rejects.toMatchObject({ code: "unauthorized" });
  const sign = await signerFor(address);
  await expect(sign(typedData, () => false)).rejects.toMatchObject({ code: "aborted" });
  expect(asked).toEqual([]);
});
