import { Halcyon } from "@/sdk/client";
import { holdPayment, newAgent } from "./agent-fixtures";
import { expect, type Party, productURL, settled, test } from "./fixtures";
import { withKey } from "./http";

type Options = NonNullable<ConstructorParameters<typeof Halcyon>[0]>;

/** Returns the address of the product's own node. In production the reader would use their own. */
async function nodeAddress(): Promise<string> {
  return (await (await fetch(`${productURL}/api/network?network=test`)).json()).rpc_url;
}

/** Creates a client that only reads what a party sees, as the party's server would create it. */
async function readerOf(
  party: Party,
  more: Options = {},
): Promise<{ reader: Halcyon; viewingKey: string; apiKey: string }> {
  const { viewing_key: viewingKey } = await party.client.viewingKeys.export();
  const { api_key: apiKey } = await party.client.keys.create({ label: "shop", scopes: ["read"] });
  return { reader: new Halcyon({ url: productURL, viewingKey, apiKey, ...more }), viewingKey, apiKey };
}

async function pay(from: Party, to: Party, amount: string, memo: string): Promise<string> {
  const { json } = await from.call("POST", "/v1/transfers", { to: to.handle, amount, memo });
  const id = String(json.transfer_id);
  expect(await settled(from, id)).toMatchObject({ status: "confirmed" });
  return id;
}

test("a viewing key and a read-only key read amounts, memos and balances as the wallet does, on both sides", async ({
  alice,
  bob,
}) => {
  const id = await pay(alice, bob, "25", "order 1042");
  const rpcUrl = await nodeAddress();
  const { reader, viewingKey, apiKey } = await readerOf(bob, { rpcUrl });
  expect(viewingKey).toMatch(/^hcvk_test_[0-9A-Za-z]{126}$/);
  const paid = { transfer_id: id, amount: "25", memo: "order 1042", asset: "USDG", from: alice.handle };
  expect(await reader.transfers.getDecrypted(id)).toMatchObject({
    ...paid,
    direction: "received",
    status: "confirmed",
  });
  expect((await reader.transfers.listDecrypted({ counterparty: alice.handle, limit: 1 })).transfers).toMatchObject([
    paid,
  ]);
  const { reader: sender } = await readerOf(alice, { rpcUrl });
  expect(await sender.transfers.getDecrypted(id)).toMatchObject({ ...paid, direction: "sent" });
  for (const [read, party] of [
    [reader, bob],
    [sender, alice],
  ] as const) {
    const [balances, wallets] = await Promise.all([read.balances.decrypt(), party.client.balances.decrypt()]);
    expect(balances).toEqual(wallets);
  }
  expect(await reader.transfers.get(id)).not.toHaveProperty("encrypted");
  const raw = await withKey(productURL, apiKey)("GET", `/v1/transfers/${id}?include=encrypted`);
  expect(await reader.transfers.decrypt(raw.json as never)).toEqual({ amount: "25", memo: "order 1042" });
  expect(raw.text).not.toMatch(/"amount"|order 1042/);
  const { receipt } = await reader.receipts.create(id);
  expect(await new Halcyon({ url: productURL }).receipts.verify(receipt)).toMatchObject({ amount: "25" });
});

test("a viewing key reads an agent's balance and payments awaiting approval; an agent's own read key reaches no others", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "30");
  const other = await newAgent(alice, "0");
  const id = await holdPayment(agent, { to: bob.handle, amount: "12.5", memo: "above the threshold" });
  const { reader, viewingKey } = await readerOf(alice);
  expect(await reader.balances.decrypt({ agent: agent.handle })).toMatchObject({ total: "30", available: "30" });
  const { pending } = await reader.approvals.list({ agent: agent.handle });
  expect(pending).toMatchObject([{ transaction_id: id, amount: "12.5", memo: "above the threshold", asset: "USDG" }]);
  const held = await alice.call("GET", `/v1/agents/transactions/${id}?include=encrypted`);
  expect(await reader.approvals.decrypt(held.json as never)).toEqual({ amount: "12.5", memo: "above the threshold" });
  for (const [owner, count] of [
    [agent, 1],
    [other, 0],
  ] as const) {
    const { api_key: apiKey } = await alice.client.keys.create({ label: "own", agent: owner.handle, scopes: ["read"] });
    const own = new Halcyon({ url: productURL, viewingKey, apiKey });
    const seen = (await own.approvals.list()).pending;
    expect(seen.map(({ amount }) => amount)).toEqual(count ? ["12.5"] : []);
    for (const { from, to } of (await own.transfers.listDecrypted()).transfers)
      expect([from, to]).toContain(owner.handle);
  }
});

test("a key that can do more than read is refused before anything else is asked with it, unless that is allowed", async ({
  alice,
}) => {
  const { viewingKey } = await readerOf(alice);
  const { api_key: payments } = await alice.client.keys.create({ label: "pays", scopes: ["read", "pay"] });
  for (const apiKey of [payments, alice.apiKey]) {
    const sent: string[] = [];
    const counting: typeof fetch = (input, init) => {
      sent.push(new URL(String(input)).pathname);
      return fetch(input, init);
    };
    const wide = new Halcyon({ url: productURL, viewingKey, apiKey, fetch: counting });
    await expect(wide.transfers.list()).rejects.toMatchObject({ code: "key_forbidden" });
    await expect(wide.transfers.listDecrypted()).rejects.toMatchObject({ code: "key_forbidden" });
    expect(sent.filter((path) => path.startsWith("/v1/") && path !== "/v1/accounts/me")).toEqual([]);
    const allowed = new Halcyon({ url: productURL, viewingKey, apiKey, allowSpendingKey: true });
    expect((await allowed.transfers.listDecrypted({ limit: 1 })).limit).toBe(1);
  }
});

test("what spends, approves or changes something is refused without a request", async ({ alice, bob }) => {
  const writes: string[] = [];
  const watching: typeof fetch = (input, init) => {
    if ((init?.method ?? "GET") !== "GET") writes.push(`${init?.method} ${String(input)}`);
    return fetch(input, init);
  };
  const { reader } = await readerOf(alice, { fetch: watching });
  const refused: [string, () => unknown][] = [
    ["transfers.create", () => reader.transfers.create({ to: bob.handle, amount: "1" })],
    [
      "transfers.create clientSigned",
      () => reader.transfers.create({ to: bob.handle, amount: "1", clientSigned: true }),
    ],
    ["transfers.prepare", () => reader.transfers.prepare({ to: bob.handle, amount: "1" })],
    ["withdrawals.create", () => reader.withdrawals.create({ amount: "1", to: bob.address })],
    ["balances.makeAvailable", () => reader.balances.makeAvailable()],
    ["balances.prove", () => reader.balances.prove()],
    ["keys.create", () => reader.keys.create({ label: "more" })],
    ["viewingKeys.export", () => reader.viewingKeys.export()],
    ["agents.create", () => reader.agents.create({ name: "bot" })],
    ["approvals.approve", () => reader.approvals.approve("txn_01ARZ3NDEKTSV4RRFFQ69G5FAV")],
    ["approvals.reject", () => reader.approvals.reject("txn_01ARZ3NDEKTSV4RRFFQ69G5FAV")],
    ["webhooks.create", () => reader.webhooks.create({ url: "http://localhost:1", events: [] })],
    ["security.rotateAccountSecret", () => reader.security.rotateAccountSecret()],
  ];
  for (const [name, call] of refused) {
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => "nothing was thrown",
        (thrown) => thrown,
      );
    expect([name, error.name, error.code]).toEqual([name, "KeyForbiddenError", "key_forbidden"]);
  }
  expect(writes).toEqual([]);
});

test("a viewing key with a typing error, of another account, or beside a wallet is refused", async ({ alice, bob }) => {
  const { viewingKey, apiKey } = await readerOf(alice);
  const typo = viewingKey.slice(0, -1) + (viewingKey.endsWith("a") ? "b" : "a");
  expect(() => new Halcyon({ url: productURL, viewingKey: typo, apiKey })).toThrow(
    expect.objectContaining({ code: "invalid_request", message: expect.not.stringContaining(typo) }),
  );
  expect(() => new Halcyon({ url: productURL, viewingKey, network: "live" })).toThrow(/of the test network/);
  expect(() => new Halcyon({ url: productURL, viewingKey, walletKey: alice.walletKey })).toThrow(/beside a wallet/);
  const { apiKey: bobs } = await readerOf(bob);
  const mixed = new Halcyon({ url: productURL, viewingKey, apiKey: bobs });
  await expect(mixed.transfers.listDecrypted()).rejects.toMatchObject({ code: "invalid_request" });
});

test("a service that lies about a payment is shown with no amount, never with a wrong one", async ({ alice, bob }) => {
  const rpcUrl = await nodeAddress();
  const [small, large] = [await pay(alice, bob, "1", "small"), await pay(alice, bob, "100", "large")];
  const { viewingKey, apiKey } = await readerOf(bob);
  const read = async (id: string) =>
    (await withKey(productURL, apiKey)("GET", `/v1/transfers/${id}?include=encrypted`)).json as Record<string, unknown>;
  const [honest, other] = [await read(small), await read(large)];
  const asRead = (response: object, more: Options = {}) => {
    const lying: typeof fetch = async (input, init) =>
      String(input).includes(`/v1/transfers/${small}`) ? Response.json(response) : fetch(input, init);
    return new Halcyon({ url: productURL, viewingKey, apiKey, fetch: lying, ...more }).transfers.getDecrypted(small);
  };
  expect(await asRead(honest, { rpcUrl })).toMatchObject({ amount: "1", memo: "small" });
  const mixed = (fields: object) => ({ ...honest, encrypted: { ...(honest.encrypted as object), ...fields } });
  const { recipient_ciphertext, note, memo } = other.encrypted as Record<string, string>;
  for (const lie of [{ recipient_ciphertext }, { note }]) {
    expect(await asRead(mixed(lie))).toMatchObject({ amount: null, memo: null });
  }
  // Bob's handle with another address is not shown at all: this machine knows his.
  await expect(asRead(mixed({ recipient: alice.address }))).rejects.toMatchObject({ name: "PinMismatch" });
  // Another payment's memo can't be decrypted with this payment's note.
  expect(await asRead(mixed({ memo }))).toMatchObject({ amount: "1", memo: null });
  // A real payment under another id: only the chain reveals it.
  const twice = { ...other, transfer_id: small, tx_hash: honest.tx_hash };
  expect(await asRead(twice)).toMatchObject({ amount: "100" });
  expect(await asRead(twice, { rpcUrl })).toMatchObject({ amount: null, memo: null });
});
