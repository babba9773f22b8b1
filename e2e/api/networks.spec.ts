import { createPublicClient, http } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { expect, productURL, stateOf, test } from "./fixtures";
import { withKey } from "./http";

const rpc = { test: process.env.RPC_URL_46630, live: process.env.RPC_URL_4663 };
const NETWORKS = ["test", "live"] as const;

test("a key of one network pays on its own chain only, though account and handle are the same on both", async () => {
  const walletKey = generatePrivateKey();
  const handle = `both-${Date.now().toString(36)}`;
  const keys = { test: "", live: "" };
  for (const network of NETWORKS) {
    const client = new Halcyon({ url: productURL, walletKey, network });
    await client.account.create({ handle });
    await client.account.verifyIdentity();
    await client.testHelpers.faucet({ amount: "100" });
    await client.balances.makeAvailable();
    keys[network] = (await client.keys.create({ label: network })).api_key;
  }
  expect(keys.test).toMatch(/^hc_test_/);
  expect(keys.live).toMatch(/^hc_live_/);

  for (const network of NETWORKS) {
    const other = network === "test" ? "live" : "test";
    const [own, foreign] = [withKey(productURL, keys[network]), withKey(productURL, keys[other])];
    const { json: paid } = await own("POST", "/v1/transfers", { to: "@demo", amount: "1" });
    const id = String(paid.transfer_id);
    const status = async () => (await own("GET", `/v1/transfers/${id}`)).json.status;
    await expect.poll(status).toBe("confirmed");

    const receiptOn = async (at: "test" | "live") => {
      const client = createPublicClient({ transport: http(rpc[at]) });
      return client.getTransactionReceipt({ hash: paid.tx_hash as `0x${string}` }).catch(() => null);
    };
    expect(await receiptOn(network)).not.toBeNull();
    expect(await receiptOn(other)).toBeNull();
    expect((await foreign("GET", `/v1/transfers/${id}`)).status).toBe(404);
    const { json: list } = await foreign("GET", "/v1/transfers");
    expect((list.transfers as { transfer_id: string }[]).map(({ transfer_id }) => transfer_id)).not.toContain(id);
  }
});

test("a key with the other network's prefix is no key, and nothing changes", async ({ alice }) => {
  const before = await stateOf(alice);
  const swapped = alice.apiKey.replace("hc_test_", "hc_live_");
  const body = { to: "@demo", amount: "1" };
  expect((await withKey(productURL, swapped)("POST", "/v1/transfers", body)).status).toBe(401);
  expect(await stateOf(alice)).toEqual(before);
});
