import { createPublicClient, http, parseAbi } from "viem";
import { Halcyon } from "../../sdk/client";
import { awayFromMidnight } from "../away-from-midnight";
import { expect, test } from "./fixtures";

const LEDGER = parseAbi([
  "struct Account { bytes32 viewingKey; address owner; address signer; uint64 until; uint64 nonce; uint64 policyVersion; uint64 enrolledBlock; bool guarded; bool limited; }",
  "function account(address) view returns (Account)",
  "function availableOf(address, address) view returns (uint256)",
]);

interface Rotated {
  secret_version: number;
  agents_rekeyed: number;
  keys_ended: number;
  available_balances: number;
  held: number;
}

test("a rotation ends what the old secret could do: keys, signatures, available balances; money, counters and held payments stay", async ({
  payer,
  person,
  network,
  baseURL,
}, info) => {
  await awayFromMidnight();
  const [alice, bob] = [await payer("alice", "100"), await person("bob")];
  const limits = ["--daily-limit", "30", "--per-transaction-limit", "20", "--threshold", "5", "--recipients", "*"];
  const agent = await alice.json<{ public_key: string }>("agents", "create", "bot", ...limits);
  await alice.json("send", "--client-signed", "--to", `@${alice.handle}/bot`, "--amount", "40");
  const newKey = async (...more: string[]) =>
    (await alice.json<{ api_key: string }>("keys", "create", "--label", "x", ...more)).api_key;
  const oldKeys = [alice.apiKey ?? "", await newKey("--agent", "bot")];
  const call = (key: string, path: string, body: object = {}) => post(`${baseURL}${path}`, key, body);
  const pay = (key: string, amount: string, memo?: string) =>
    call(key, "/v1/transfers", { to: `@${bob.handle}`, amount, memo });
  expect(await pay(oldKeys[1] ?? "", "3")).toMatchObject({ status: "pending" });
  const held = [];
  for (const amount of ["12", "6"]) held.push((await pay(oldKeys[1] ?? "", amount, "paper")).transaction_id);

  // Another client of the account, unlocked before the rotation.
  const configDir = info.outputPath("config");
  const walletKey = await alice.walletKey();
  const newClient = () => new Halcyon({ url: baseURL, walletKey, configDir });
  const other = newClient();
  expect(await total(other)).toBe(97);
  const chain = createPublicClient({ transport: http(network.rpc_url), cacheTime: 0 });
  const onChain = async () => {
    const at = { address: network.ledger, abi: LEDGER } as const;
    const usdg = network.assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
    const owners = [alice.address, agent.public_key] as `0x${string}`[];
    const signers = owners.map((owner) =>
      chain.readContract({ ...at, functionName: "account", args: [owner] }).then(({ signer }) => signer),
    );
    const words = owners.map((owner) =>
      chain.readContract({ ...at, functionName: "availableOf", args: [owner, usdg] }).then(String),
    );
    return Promise.all([...signers, ...words]);
  };
  // Payments in flight must settle first.
  const underWay = [await pay(oldKeys[0] ?? "", "1"), await pay(oldKeys[0] ?? "", "1.5")];
  const before = await onChain();
  expect(await alice.json<Rotated>("rotate-account-secret")).toMatchObject({
    secret_version: 2,
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    keys_ended: 2,
    agents_rekeyed: 1,
    available_balances: 2,
    held: 2,
  });
  const after = await onChain();
  for (const value of after) expect(before).not.toContain(value);
  const listed = await alice.json<{ transfers: { transfer_id: string; status: string }[] }>("transfers");
  for (const { transfer_id } of underWay) {
    expect(listed.transfers).toContainEqual(expect.objectContaining({ transfer_id, status: "confirmed" }));
  }
  for (const key of oldKeys) expect(await pay(key, "1")).toMatchObject({ error: { code: "unauthorized" } });
  await expect(other.balances.decrypt()).rejects.toMatchObject({ code: "key_forbidden" });

  expect(await total(newClient())).toBe(94.5);
  const pending = await alice.json<{ pending: object[] }>("pending");
  expect(pending.pending).toMatchObject([
    { transaction_id: held[0], amount: "12", memo: "paper" },
    { transaction_id: held[1], amount: "6", memo: "paper" },
  ]);
  alice.apiKey = await newKey();
  const botKey = await newKey("--agent", "bot");
  await alice.json("send", "--to", `@${bob.handle}`, "--amount", "2");
  expect(await pay(botKey, "4")).toMatchObject({ status: "pending" });
  // One is decrypted with the key during the request, the other on the wallet's own machine.
  expect(await call(alice.apiKey, `/v1/agents/transactions/${held[0]}/approve`)).toMatchObject({ status: "approved" });
  expect(await alice.json("approve", String(held[1]))).toMatchObject({ status: "approved" });
  expect(await pay(botKey, "5.000001")).toMatchObject({ error: { reason: "daily_limit" } });
  expect(await pay(botKey, "5")).toMatchObject({ status: "pending" });
  expect((await bob.json<{ transfers: { amount: string }[] }>("transfers")).transfers.map((t) => t.amount)).toEqual(
    expect.arrayContaining(["12", "6", "5", "4", "3", "2", "1.5", "1"]),
  );
  expect(await alice.json<Rotated>("rotate-account-secret")).toMatchObject({
    secret_version: 3,
    keys_ended: 2,
    held: 0,
  });
  expect(await total(newClient())).toBe(65.5);
});

test("who has no available balance, no agents and no keys rotates as well", async ({ person }) => {
  const bob = await person("bob");
  expect(await bob.json<Rotated>("rotate-account-secret")).toMatchObject({
    keys_ended: 0,
    available_balances: 0,
    held: 0,
  });
  await bob.json("faucet", "--amount", "3");
  await bob.json("make-available");
});

async function post(url: string, key: string, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

/** Returns everything that the account and its agent have, decrypted on this machine. */
async function total(halcyon: Halcyon): Promise<number> {
  const both = await Promise.all([halcyon.balances.decrypt(), halcyon.balances.decrypt({ agent: "bot" })]);
  return both.reduce((sum, one) => sum + Number(one.total), 0);
}
