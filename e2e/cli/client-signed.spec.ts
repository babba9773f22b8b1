import { createPublicClient, erc20Abi, http } from "viem";
import { expect, test } from "./fixtures";

/** The fields of a transfer, as the API and every client return them. */
const PAID = {
  transfer_id: expect.stringMatching(/^tr_/),
  status: "confirmed",
  direction: "sent",
  asset: "USDG",
  tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  created_at: expect.any(String),
  confirmed_at: expect.any(String),
  reference: null,
  refund_of: null,
  checked: null,
  payment_request: null,
  payout: null,
  schedule_run: null,
};

interface Shown {
  direction: string;
  amount: string | null;
  memo: string | null;
  confidential: boolean;
}

test("a payment prepared on this machine arrives with amount and memo, with and without an API key", async ({
  payer,
  person,
}) => {
  const [alice, bob] = [await payer("alice", "50"), await person("bob")];
  const to = `@${bob.handle}`;
  const from = `@${alice.handle}`;
  const sent = await alice.json<object>("send", "--client-signed", "--to", to, "--amount", "1.25", "--memo", "ünï 🚀");
  expect(sent).toEqual({ ...PAID, from, to, confidential: true });
  alice.apiKey = undefined;
  const named = await alice.json("send", "--client-signed", "--to", to, "--amount", "2", "--reference", "order-7");
  expect(named).toEqual({ ...PAID, from, to, confidential: true, reference: "order-7" });
  const { transfers } = await bob.json<{ transfers: Shown[] }>("transfers");
  expect(transfers.map(({ amount, memo }) => [amount, memo])).toEqual([
    ["2", null],
    ["1.25", "ünï 🚀"],
  ]);
});

test("public payments and withdrawals pay tokens to the address; a memo reaches an enrolled recipient", async ({
  payer,
  person,
  network,
}) => {
  const [alice, bob] = [await payer("alice", "50"), await person("bob")];
  const client = createPublicClient({ transport: http(network.rpc_url) });
  const token = network.assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
  const balance = () =>
    client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [bob.address as `0x${string}`],
    });

  await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1", "--public", "--memo", "plain");
  await alice.json(
    "send",
    "--to",
    `@${bob.handle}`,
    "--amount",
    "2",
    "--public",
    "--memo",
    "client_signed",
    "--client-signed",
  );
  expect(await alice.json("withdraw", "--to", bob.address, "--amount", "4")).toEqual({
    ...PAID,
    from: `@${alice.handle}`,
    to: bob.address,
    confidential: false,
  });
  expect(await balance()).toBe(7_000_000n);
  const { transfers } = await bob.json<{ transfers: Shown[] }>("transfers");
  const shown = transfers.map(({ amount, memo, confidential }) => [amount, memo, confidential]);
  expect(shown).toContainEqual(["1", "plain", false]);
  expect(shown).toContainEqual(["2", "client_signed", false]);
});

test("ETH is deposited, made available, paid and withdrawn like USDG", async ({ person, network }) => {
  const [alice, bob] = [await person("alice"), await person("bob")];
  await alice.json("faucet", "--asset", "ETH", "--amount", "0.5");
  await alice.json("make-available", "--asset", "ETH", "--amount", "0.3");
  await alice.json("send", "--client-signed", "--asset", "ETH", "--to", bob.address, "--amount", "0.000000001");
  await alice.json("withdraw", "--asset", "ETH", "--to", bob.address, "--amount", "0.25");
  const client = createPublicClient({ transport: http(network.rpc_url) });
  expect(await client.getBalance({ address: bob.address as `0x${string}` })).toBe(250_000_000_000_000_000n);
  const { transfers } = await bob.json<{ transfers: Shown[] }>("transfers");
  expect(transfers.map(({ amount }) => amount)).toContain("0.000000001");
});
