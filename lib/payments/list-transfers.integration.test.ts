import { sql } from "drizzle-orm";
import { zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql as client, db, withoutTimeouts } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { apiKeys, apiKeyUsage } from "@/db/schema/keys";
import { transfers } from "@/db/schema/transfers";
import { keyUsage } from "@/lib/accounts/keys/key-usage";
import { assetBySymbol } from "@/lib/base/assets";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { keyCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import type { TransferRow } from "./append-transfer-events";
import { countOwnTransfers } from "./count-own-transfers";
import { getOwnTransfer } from "./get-own-transfer";
import { getTransferView } from "./get-transfer-view";
import type { ListOptions } from "./list-options";
import { listOwnSummaries, listOwnTransfers } from "./list-own-transfers";
import { listTransfers } from "./list-transfers";
import { type PageStatement, summariesOfPage } from "./page-statement";
import { ListTransfersQuery } from "./schema";
import { toTransferList } from "./transfer-resource";

const CHAIN = 46630;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

async function agentOf(owner: Owner): Promise<ContextAccount> {
  const { id, handle, address } = owner.account;
  const agent = {
    id: newId("account"),
    handle: `${handle}/bot`,
    address: toHex(randomBytes(20)),
    createdAt: new Date(),
  };
  await db()
    .insert(accounts)
    .values({ ...agent, type: "agent", ownerId: id, chainId: CHAIN });
  return { ...agent, type: "agent", rootId: id, rootAddress: address };
}

/** Inserts a transfer like a payment would; returns its id. */
async function transfer(from: ContextAccount, to: ContextAccount, values: Partial<TransferRow> = {}): Promise<string> {
  const commitment = toHex(randomBytes(32));
  const [row] = await db()
    .insert(transfers)
    .values({
      id: newId("transfer"),
      chainId: CHAIN,
      kind: "transfer",
      status: "confirmed",
      payerId: from.id,
      payerRootId: from.rootId,
      recipientId: to.id,
      recipientRootId: to.rootId,
      recipientAddress: to.address,
      to: `@${to.handle}`,
      asset: assetBySymbol(CHAIN).address,
      oldCommitment: commitment,
      newCommitment: commitment,
      payerCiphertext: "0x",
      operationId: newId("operation"),
      txHash: commitment,
      createdAt: new Date(),
      clientSigned: false,
      ...values,
    })
    .returning({ id: transfers.id });
  return row?.id ?? "";
}

/** Returns the entries of a list, after checking that they are the same with and without ciphertexts. */
async function listed(ctx: SessionContext, query: Record<string, string>): Promise<string[]> {
  const parsed = ListTransfersQuery.parse(query);
  const page = await listOwnTransfers(ctx, parsed);
  expect(toTransferList(await listOwnSummaries(ctx, parsed))).toEqual(toTransferList({ ...page, include: undefined }));
  return page.transfers.map(({ row }) => row.id);
}

test("transfers are filtered by direction, counterparty, asset, key, agent and all of them together", async () => {
  const [alice, bob, carol] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN), Owner.create(CHAIN)]);
  const bot = await agentOf(alice);
  const keyId = newId("key");
  const toBob = await transfer(alice.account, bob.account, { keyId });
  const fromBob = await transfer(bob.account, alice.account, { keyId: newId("key") });
  const botToCarol = await transfer(bot, carol.account, { asset: zeroAddress });
  const toBot = await transfer(alice.account, bot, { kind: "fund" });
  const fromBot = await transfer(bot, alice.account, { kind: "fund", status: "failed" });
  const strange = await transfer(alice.account, bob.account, {
    recipientId: null,
    recipientRootId: null,
    recipientAddress: "0x00000000000000000000000000000000000000aa",
  });
  const ctx = alice.session;
  const all = [strange, fromBot, toBot, botToCarol, fromBob, toBob];
  expect(await listed(ctx, {})).toEqual(all);
  const counted = (query: object) => countOwnTransfers(ctx, ListTransfersQuery.parse({ ...query, limit: "1" }));
  expect(await counted({})).toEqual({ count: all.length, more: false });
  expect(await counted({ direction: "received", offset: "1" })).toEqual({ count: 1, more: false });
  expect(await listed(ctx, { direction: "sent" })).toEqual(all.filter((id) => id !== fromBob));
  expect(await listed(ctx, { direction: "received" })).toEqual([fromBob]);
  expect(await listed(ctx, { counterparty: `@${bob.account.handle}` })).toEqual([fromBob, toBob]);
  expect(await listed(ctx, { counterparty: bob.address, direction: "received" })).toEqual([fromBob]);
  expect(await listed(ctx, { counterparty: `@${bot.handle}` })).toEqual([fromBot, toBot]);
  expect(await listed(ctx, { counterparty: "0x00000000000000000000000000000000000000aa" })).toEqual([strange]);
  expect(await listed(ctx, { counterparty: toHex(randomBytes(20)) })).toEqual([]);
  expect(await listed(ctx, { asset: "ETH" })).toEqual([botToCarol]);
  expect(await listed(ctx, { key: keyId })).toEqual([toBob]);
  expect(await listed(ctx, { status: "failed", counterparty: `@${bot.handle}`, asset: "USDG" })).toEqual([fromBot]);
  await expect(listed(ctx, { counterparty: "@nobody-is-this" })).rejects.toMatchObject({
    code: "recipient_not_found",
    param: "counterparty",
  });
  const asBot: SessionContext = { ...ctx, account: bot };
  expect(await listed(asBot, {})).toEqual([fromBot, toBot, botToCarol]);
  expect(await listed(asBot, { direction: "received" })).toEqual([toBot]);
  expect(await listed(asBot, { counterparty: carol.address })).toEqual([botToCarol]);
  expect(await listed(asBot, { counterparty: alice.address })).toEqual([fromBot, toBot]);
  // Keys of the other side can't be queried.
  expect(await listed(bob.session, { key: keyId })).toEqual([]);
});

test("an account's transfers page through both sides, newest first, each once", async () => {
  const [alice, bob] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const start = Date.now() - 60_000;
  for (let n = 0; n < 24; n++) {
    const [from, to] = n % 5 === 0 ? [bob, alice] : [alice, bob];
    await transfer(from.account, to.account, { createdAt: new Date(start + n * 1_000) });
  }
  const key = await alice.key();
  const all = await listTransfers(key, { limit: 100, offset: 0 });
  const pages = [];
  for (let offset = 0; ; offset += 7) {
    const page = await listTransfers(key, { limit: 7, offset });
    pages.push(...page.transfers);
    if (!page.hasMore) break;
  }
  const ids = pages.map(({ row }) => row.id);
  expect(ids).toHaveLength(24);
  expect(ids).toEqual(all.transfers.map(({ row }) => row.id));
  expect(new Set(ids).size).toBe(ids.length);
  const times = pages.map(({ row }) => row.createdAt.getTime());
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(new Set(pages.map(({ direction }) => direction))).toEqual(new Set(["sent", "received"]));
  const [newest] = all.transfers;
  if (!newest) throw new Error("no transfers");
  const until = await listTransfers(key, { limit: 100, offset: 0, to: newest.row.createdAt });
  expect(until.transfers.map(({ row }) => row.id)).toEqual(ids.slice(1));
  const oldest = all.transfers.at(-1)?.row.createdAt;
  const since = await listTransfers(key, { limit: 100, offset: 0, from: new Date(oldest ?? 0) });
  expect(since.transfers.map(({ row }) => row.id)).toEqual(ids.slice(0, -1));
  const failed = await listTransfers(key, { limit: 100, offset: 0, status: "failed" });
  expect(failed.transfers).toEqual([]);
});

test("pages of every size and depth hold what the whole list does", async () => {
  const [alice, bob] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  for (let n = 0; n < 23; n++) {
    // Milliseconds of one, two and three digits, because PostgreSQL omits trailing zeros.
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, n, n % 2 ? 120 + n : 100 * (n % 10)));
    const confirmedAt = n % 3 ? new Date(createdAt.getTime() + 10) : null;
    await transfer(n % 5 ? alice.account : bob.account, n % 5 ? bob.account : alice.account, {
      createdAt,
      confirmedAt,
    });
  }
  const all = toTransferList({
    ...(await listOwnTransfers(alice.session, { limit: 100, offset: 0 })),
    include: undefined,
  });
  for (const [limit, offset] of [
    [1, 0],
    [2, 0],
    [20, 0],
    [21, 0],
    [23, 0],
    [100, 0],
    [1, 22],
    [20, 3],
    [20, 23],
  ] as const) {
    const page = toTransferList(await listOwnSummaries(alice.session, { limit, offset }));
    expect(page).toEqual({
      transfers: all.transfers.slice(offset, offset + limit),
      limit,
      offset,
      has_more: offset + limit < 23,
    });
  }
});

test("a transfer is shown to its two sides alone, with what it is known to have gone through", async () => {
  const [alice, bob, carol] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN), Owner.create(CHAIN)]);
  const failedAt = new Date();
  const id = await transfer(alice.account, bob.account, { status: "failed", failedAt });
  const shown = await getOwnTransfer(alice.session, id);
  expect(shown).toMatchObject({ direction: "sent", timeline: { failedAt, mined: null, failure: "superseded" } });
  expect((await getOwnTransfer(bob.session, id)).direction).toBe("received");
  const live: SessionContext = { ...alice.session, network: "live", chainId: 4663 };
  for (const other of [carol.session, live]) {
    await expect(getOwnTransfer(other, id)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a transfer that is another's, the other network's or no one's is not found by a key, in the same words", async () => {
  const [alice, bob, carol] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN), Owner.create(CHAIN)]);
  const id = await transfer(alice.account, bob.account);
  const get = async (session: SessionContext, transferId = id) =>
    (await keyCaller(session)).call("GET", `/v1/transfers/${transferId}`);
  expect((await get(alice.session)).json).toMatchObject({ transfer_id: id, direction: "sent" });
  expect((await get(bob.session)).json).toMatchObject({ transfer_id: id, direction: "received" });
  const refused = [
    await get(carol.session),
    await get({ ...alice.session, network: "live", chainId: 4663 }),
    await get(alice.session, "tr_01HZZZZZZZZZZZZZZZZZZZZZZZ"),
    await get(alice.session, "not-an-id"),
    await get(alice.session, id.toLowerCase()),
  ];
  const errors = refused.map(({ status, json }) => [status, json.error?.code, json.error?.message]);
  expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
  expect(errors[0]?.slice(0, 2)).toEqual([404, "not_found"]);
});

test("a key's requests are reported for every day, to its owner alone", async () => {
  const [alice, bob] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const { keyId } = await alice.key();
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await db()
    .insert(apiKeyUsage)
    .values([
      { keyId, day: day(0), requests: 7 },
      { keyId, day: day(2), requests: 5 },
      { keyId, day: day(3), requests: 9 },
    ]);
  await db().update(apiKeys).set({ revokedAt: new Date() });
  expect(await keyUsage(alice.session, keyId, 3)).toEqual([
    { day: day(2), requests: 5 },
    { day: day(1), requests: 0 },
    { day: day(0), requests: 7 },
  ]);
  for (const other of [bob.session, { ...alice.session, network: "live", chainId: 4663 } as const]) {
    await expect(keyUsage(other, keyId, 3)).rejects.toMatchObject({ code: "not_found" });
  }
});

/** Returns how many blocks a statement reads, planned for its values or, if it is prepared, with a generic plan. */
async function blocksOf({ text, values, options }: PageStatement): Promise<number> {
  type Plan = { "Shared Hit Blocks": number; "Shared Read Blocks": number };
  const literals = values.map((value) =>
    Buffer.isBuffer(value) ? `'\\x${value.toString("hex")}'` : `'${String(value)}'`,
  );
  const blocks = await client().begin(async (tx) => {
    await tx.unsafe(`prepare page as ${text}`);
    const read = [];
    for (const mode of ["force_custom_plan", ...(options.prepare ? ["force_generic_plan"] : [])]) {
      await tx.unsafe(`set local plan_cache_mode = ${mode}`);
      const [explained] = await tx.unsafe<{ "QUERY PLAN": [{ Plan: Plan }] }[]>(
        `explain (analyze, buffers, format json) execute page(${literals.join()})`,
      );
      const plan = explained?.["QUERY PLAN"][0].Plan;
      read.push((plan?.["Shared Hit Blocks"] ?? 1e9) + (plan?.["Shared Read Blocks"] ?? 1e9));
    }
    await tx.unsafe("deallocate page");
    return read;
  });
  return Math.max(...blocks);
}

test("every filter reads few blocks, however many transfers an account has", async () => {
  const [alice, bob, carol] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN), Owner.create(CHAIN)]);
  const bot = await agentOf(alice);
  const usdg = assetBySymbol(CHAIN).address;
  const keyId = newId("key");
  await transfer(alice.account, carol.account, { asset: zeroAddress, keyId, createdAt: new Date(0) });
  await transfer(bot, carol.account, { asset: zeroAddress, createdAt: new Date(0) });
  const refundOf = newId("transfer");
  const dave = await Owner.create(CHAIN);
  await transfer(dave.account, bot, { refundOf, reference: "order-1", createdAt: new Date(0) });
  // To and from one other account, by one key, of one asset: rare values that are not among the newest rows.
  for (const [from, to] of [
    [alice.account, bob.account],
    [bob.account, alice.account],
    [bot, bob.account],
  ] as const) {
    await db().transaction(async (tx) => {
      await withoutTimeouts(tx);
      await tx.execute(sql`
      insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
        recipient_address, to_given, asset, old_commitment, new_commitment, payer_ciphertext, key_id, operation_id, tx_hash,
        created_at, client_signed)
      select ${from.id} || to_.id || n, ${CHAIN}::int, 'transfer', 'confirmed', ${from.id}, ${from.rootId}, to_.id,
        ${to.rootId}, to_.address, '', decode(${usdg.slice(2)}, 'hex'), '', '', '', 'key_many', 'op_' || n, '',
        now() - n * interval '1 second', false
      from generate_series(1, 40000) n, accounts to_ where to_.id = ${to.id}`);
    });
  }
  await asOwner((owner) => owner`vacuum analyze transfers`);
  const from = new Date(Date.now() - 86_400_000);
  const counterparty = { address: carol.address, account: carol.account };
  const asBot: SessionContext = { ...alice.session, account: bot };
  for (const [ctx, filter, expected] of [
    [alice.session, {}, 21],
    [alice.session, { direction: "sent" }, 21],
    [alice.session, { direction: "received" }, 21],
    [alice.session, { counterparty }, 2],
    [alice.session, { asset: zeroAddress }, 2],
    [alice.session, { keyId }, 1],
    [alice.session, { keyId: newId("key") }, 0],
    [alice.session, { status: "failed" }, 0],
    [alice.session, { status: "pending" }, 0],
    [alice.session, { from }, 21],
    [alice.session, { from, status: "confirmed" }, 21],
    [alice.session, { status: "confirmed", counterparty: { address: bob.address, account: bob.account } }, 21],
    [alice.session, { kind: "payment" }, 21],
    [alice.session, { kind: "public" }, 0],
    [alice.session, { kind: "refund" }, 1],
    [alice.session, { kind: "move" }, 0],
    [alice.session, { kind: "payment_request" }, 0],
    [alice.session, { kind: "payout" }, 0],
    [alice.session, { kind: "schedule" }, 0],
    [alice.session, { reference: "order-1" }, 1],
    [alice.session, { reference: "order-2" }, 0],
    [alice.session, { refundOf }, 1],
    [asBot, { kind: "refund" }, 1],
    [asBot, { reference: "order-1" }, 1],
    [asBot, {}, 21],
    [asBot, { counterparty }, 1],
    [asBot, { asset: zeroAddress }, 1],
    [alice.session, { startingAfter: `${alice.account.id}${bob.account.id}30000` }, 21],
    [alice.session, { startingAfter: `${bot.id}${bob.account.id}30000`, status: "confirmed" }, 21],
    [asBot, { startingAfter: `${bot.id}${bob.account.id}30000` }, 21],
  ] as [SessionContext, Partial<ListOptions>, number][]) {
    const page = summariesOfPage(ctx, { limit: 20, offset: 0, ...filter });
    const said = `${ctx.account.type} ${JSON.stringify(filter)}`;
    expect(await client().unsafe(page.text, page.values, page.options), said).toHaveLength(expected);
    expect(await blocksOf(page), said).toBeLessThan(250);
  }
});

test("encrypted copies are returned only on request, and to an agent's key only of its own transfers", async () => {
  const [alice, bob] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  const bot = await agentOf(alice);
  const owners = await transfer(alice.account, bob.account);
  const agents = await transfer(bot, bob.account, { payerRootId: alice.account.id });
  const keyOf = (account: ContextAccount): KeyContext => {
    const { network, chainId, requestId, clientAddress } = alice.session;
    const refused = () => Promise.reject(new Error("no list decrypts anything"));
    const opens = { unwrap: refused, unwrapFlagKey: refused };
    return {
      actor: "key",
      network,
      chainId,
      requestId,
      clientAddress,
      account,
      keyId: newId("key"),
      scopes: ["read"],
      ...opens,
    };
  };
  const page = async (ctx: KeyContext, query: object) => {
    const { include, ...rest } = ListTransfersQuery.parse(query);
    if (include === undefined) return toTransferList(await listOwnSummaries(ctx, rest)).transfers;
    return toTransferList({ ...(await listOwnTransfers(ctx, rest)), include }).transfers;
  };
  const owner = keyOf(alice.account);
  const plain = await page(owner, {});
  expect(plain.map(({ transfer_id }) => transfer_id).sort()).toEqual([owners, agents].sort());
  expect(plain.filter((entry) => "encrypted" in entry)).toEqual([]);
  const encrypted = await page(owner, { include: "encrypted", agent: bot.id });
  expect(encrypted).toMatchObject([{ transfer_id: agents, encrypted: { account: bot.address, kind: "transfer" } }]);
  expect(await page(owner, { agent: `@${bot.handle}`, direction: "received" })).toEqual([]);
  expect(await page(keyOf(bot), { include: "encrypted" })).toMatchObject([{ transfer_id: agents }]);
  expect((await getTransferView(keyOf(bot), agents)).row.id).toBe(agents);
  await expect(getTransferView(keyOf(bot), owners)).rejects.toMatchObject({ code: "not_found" });
  await expect(page(keyOf(bob.account), { agent: bot.id })).rejects.toMatchObject({ code: "not_agent_owner" });
});

test("a list continues after any of its transfers, whatever came in front meanwhile, and in the list's own order", async () => {
  const [owner, other] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  const ctx = owner.session;
  // If two have the same time, their ids decide.
  const at = new Date(Date.now() - 60_000);
  for (let i = 0; i < 5; i++) {
    const createdAt = i < 2 ? at : new Date(at.getTime() + i);
    await transfer(i % 2 ? other.account : owner.account, i % 2 ? owner.account : other.account, { createdAt });
  }
  const idsOf = async (query: object) => {
    const parsed = ListTransfersQuery.parse(query);
    return (await listOwnTransfers(ctx, parsed)).transfers.map(({ row }) => row.id);
  };
  const all = await idsOf({});
  expect(all).toHaveLength(5);
  const walked = await idsOf({ limit: "2" });
  await transfer(owner.account, other.account);
  for (let page = walked; page.length > 0; walked.push(...page)) {
    page = await idsOf({ limit: "2", starting_after: walked.at(-1) });
  }
  expect(walked).toEqual(all);
  expect(await idsOf({ direction: "sent", starting_after: all[0] })).toEqual(
    (await idsOf({ direction: "sent" })).filter((id) => all.indexOf(id) > 0),
  );
});

test("a cursor that is another account's, another network's or unknown is refused, each in the same words", async () => {
  const [owner, other, third] = [await Owner.create(CHAIN), await Owner.create(CHAIN), await Owner.create(CHAIN)];
  const ctx = owner.session;
  const foreign = await transfer(other.account, third.account);
  const refusals = await Promise.all(
    [foreign, newId("transfer")].map((starting_after) =>
      listOwnTransfers(ctx, ListTransfersQuery.parse({ starting_after })).catch((thrown: unknown) => thrown),
    ),
  );
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ code: "invalid_request", param: "starting_after" });
    expect(String(refusal)).toBe(String(refusals[0]));
  }
  const offset = ListTransfersQuery.safeParse({ starting_after: foreign, offset: "1" });
  expect(offset.error?.issues[0]).toMatchObject({ path: ["offset"] });
});
