import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray } from "drizzle-orm";
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
  toEventSelector,
  zeroAddress,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { chainCursors, depositedBalances, ledgerDomains, reservations } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { onBehalfOf } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { log } from "@/lib/base/telemetry/log";
import { registerRelayers } from "@/lib/chain/operations/register-relayers";
import { LEDGER_EVENTS } from "@/lib/ledger/ledger-events";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { indexNext } from "@/lib/settlement/index-next";
import { sweep } from "@/lib/settlement/resend/sweep";
import { Owner, settled } from "@/test/accounts/owner";
import { sendBatch } from "@/test/accounts/send-batch";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type Lie, type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";
import { ledgerAbi } from "./abi/ledger";
import { callAt } from "./ask/call-at";
import { successOf } from "./ask/own-receipt";
import { sendRaw } from "./broadcast";
import { checkingClient, publicClient } from "./clients";
import { isValidSignature } from "./erc1271";
import { blockAt, finalBlock, writeIndexCursor } from "./index/cursor";

const CHAIN = 46630;
let services: LocalServices;
let node: LyingRpc;
let truth: PublicClient;
let payer: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startLocalServices(async (env) => {
    const url = env.RPC_URL_46630 ?? "";
    node = await startLyingRpc(url);
    truth = createPublicClient({ transport: http(url) });
    return { RPC_URL_46630: node.url };
  });
  await withWorker(async () => {
    [payer, recipient] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
    await settled(await recipient.enroll());
  });
});

afterEach(() => {
  node.lie();
  node.lacks();
  node.limit();
});

afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

const noLogs: Lie = ({ method }) => (method === "eth_getLogs" ? [] : undefined);
const noReceipts: Lie = (call, response) =>
  call.method === "eth_getTransactionReceipt" || call.method === "eth_getBlockReceipts" ? null : noLogs(call, response);
const noBlockReceipts: Lie = (call, truth) => (call.method === "eth_getBlockReceipts" ? null : noLogs(call, truth));

/** Waits for a receipt. Repeats a broadcast that was lost, because the worker that would do so does not run here. */
async function untilMined(hash: Hex): Promise<void> {
  const [sent] = await db().select().from(outgoingTransactions).where(eq(outgoingTransactions.hash, hash));
  for (let look = 1; ; look += 1) {
    if (await truth.request({ method: "eth_getTransactionReceipt", params: [hash] })) return;
    if (look % 40 === 0 && sent) await sendRaw(CHAIN, sent.raw).catch(() => {});
    await sleep(50);
  }
}

/** Makes a payment that the chain has executed and the service has not indexed yet. */
async function pay(amount: string) {
  const input = { to: `@${recipient.account.handle}`, amount, asset: "USDG" as const, confidential: true };
  const { row } = paidTransfer(await createTransfer(await payer.key(), input));
  if (row.txHash) await untilMined(row.txHash);
  return row;
}

async function statuses(...ids: string[]) {
  const rows = await db().select().from(transfers).where(inArray(transfers.id, ids));
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
}

async function announced(id: string) {
  const all = await db().select().from(events).where(eq(events.accountId, payer.account.id)).orderBy(events.id);
  return all.filter(({ payload }) => payload.transfer_id === id).map(({ type }) => type);
}

const received = async () => (await recipient.openNotes()).map(({ amount }) => amount);

/** Moves the deadlines of operations into the past. */
const expire = (...ids: string[]) =>
  db()
    .update(operations)
    .set({ deadline: new Date(Date.now() - 3_600_000) })
    .where(inArray(operations.id, ids));

/** Indexes, and rebuilds the index where needed, until nothing is left to do. */
async function catchUp() {
  while ((await indexNext(CHAIN)) !== "current" || !(await cursor())?.whole);
}

const cursor = async () => (await db().select().from(chainCursors).where(eq(chainCursors.chainId, CHAIN)))[0];

test.each([
  ["10 blocks", { blocks: 10n }],
  ["4 KiB", { bytes: 4_096 }],
])("a node that returns at most %s of logs at once: the index catches up, and rebuilds itself", async (_, limit) => {
  const rows = [await pay("1.5"), await pay("2.5"), await pay("3.5")];
  await createTestClient({ mode: "anvil", transport: http(truth.transport.url) }).mine({ blocks: 25 });
  node.limit(limit);
  await catchUp();
  expect(await statuses(...rows.map(({ id }) => id))).toEqual(["confirmed", "confirmed", "confirmed"]);
  const before = await received();
  await db().update(chainCursors).set({ whole: false }).where(eq(chainCursors.chainId, CHAIN));
  await truth.request({ method: "evm_mine" as never, params: undefined as never });
  await catchUp();
  expect(await received()).toEqual(before);
});

describe("a node that returns nothing for eth_getLogs", () => {
  test("hides no payment whose block's receipts it has: several of one account confirm, each announced once", async () => {
    const rows = [await pay("1"), await pay("2"), await pay("3")];
    node.lie(noLogs);
    await indexNext(CHAIN);
    expect(node.asked).toContain("eth_getBlockReceipts");
    const ids = rows.map(({ id }) => id);
    expect(await statuses(...ids)).toEqual(["confirmed", "confirmed", "confirmed"]);
    for (const id of ids) expect(await announced(id)).toEqual(["transfer.initiated", "transfer.confirmed"]);
    expect(await received()).toEqual(expect.arrayContaining([1_000_000n, 2_000_000n, 3_000_000n]));
  });

  test("and hides the block's receipts: the index stands still, the payment's own receipt settles it", async () => {
    const [first, second] = [await pay("4"), await pay("5")];
    const before = await cursor();
    node.lie(noBlockReceipts);
    await expect(indexNext(CHAIN)).rejects.toThrow("contradict");
    // `settled` would also wait for the index.
    const both = () => statuses(first.id, second.id);
    await withWorker(() => expect.poll(both).toEqual(["confirmed", "confirmed"]));
    expect(await cursor()).toEqual(before);
    node.lie();
    await catchUp();
    expect(await received()).toEqual(expect.arrayContaining([4_000_000n, 5_000_000n]));
    for (const { id } of [first, second])
      expect(await announced(id)).toEqual(["transfer.initiated", "transfer.confirmed"]);
  });

  test("and hides every receipt: nothing fails, not even past the deadline, and all is settled once it is honest again", async () => {
    const [first, second] = [await pay("6"), await pay("7")];
    await expire(first.operationId, second.operationId);
    node.lie(noReceipts);
    await expect(indexNext(CHAIN)).rejects.toThrow("contradict");
    await sweep(CHAIN);
    expect(await statuses(first.id, second.id)).toEqual(["pending", "pending"]);
    node.lie();
    await catchUp();
    expect(await statuses(first.id, second.id)).toEqual(["confirmed", "confirmed"]);
  });
});

describe("a node that leaves out payments of a batch", () => {
  const PAID = toEventSelector(LEDGER_EVENTS.find(({ name }) => name === "Paid") ?? "");
  const isPaid = ({ topics: [topic] }: { topics: Hex[] }) => topic === PAID;
  type Log = { topics: Hex[] };

  async function payMany(...amounts: bigint[]) {
    const rows = await sendBatch(
      payer,
      amounts.map((amount) => ({ to: recipient, amount })),
    );
    const [row] = rows;
    if (row?.txHash) await untilMined(row.txHash);
    return rows.map(({ id }) => id);
  }

  test("hides none of them: they are read from the block's receipts, whether it hides one or all", async () => {
    for (const hidden of [(logs: Log[]) => logs.filter((log) => !isPaid(log)), (logs: Log[]) => logs.slice(0, -1)]) {
      const ids = await payMany(21_000_000n, 22_000_000n);
      node.lie(({ method }, logs) => (method === "eth_getLogs" ? hidden(logs as Log[]) : undefined));
      await indexNext(CHAIN);
      node.lie();
      expect(await statuses(...ids)).toEqual(["confirmed", "confirmed"]);
      expect(await received()).toEqual(expect.arrayContaining([21_000_000n, 22_000_000n]));
      for (const id of ids) expect(await announced(id)).toEqual(["transfer.initiated", "transfer.confirmed"]);
    }
    expect((await received()).filter((amount) => amount === 21_000_000n)).toHaveLength(2);
  });

  const withoutReceipts: Lie = ({ method }, logs) => {
    if (method === "eth_getBlockReceipts") return null;
    return method === "eth_getLogs" ? (logs as Log[]).slice(0, -1) : undefined;
  };
  const onlyInLogs: Lie = ({ method }, receipts) =>
    method === "eth_getBlockReceipts"
      ? (receipts as { logs: Log[] }[]).map((receipt) => ({ ...receipt, logs: receipt.logs.slice(0, -1) }))
      : undefined;

  test.each([
    ["hides the receipts", withoutReceipts],
    ["shows receipts that lack what its logs show", onlyInLogs],
  ])("and %s: the index stands still, and all payments settle once it is honest again", async (_, lie) => {
    const ids = await payMany(23_000_000n, 24_000_000n);
    const before = await cursor();
    node.lie(lie);
    await expect(indexNext(CHAIN)).rejects.toThrow("contradict");
    expect(await cursor()).toEqual(before);
    expect(await statuses(...ids)).toEqual(["pending", "pending"]);
    node.lie();
    await catchUp();
    expect(await statuses(...ids)).toEqual(["confirmed", "confirmed"]);
  });
});

describe("a node that leaves out one of two deposits of a block", () => {
  type Log = { transactionHash: Hex };
  const depositedOf = async () =>
    (
      await db()
        .select({ units: depositedBalances.units })
        .from(depositedBalances)
        .where(
          and(
            eq(depositedBalances.chainId, CHAIN),
            eq(depositedBalances.account, recipient.address),
            eq(depositedBalances.asset, zeroAddress),
          ),
        )
    )[0]?.units ?? 0n;

  /** Deposits ether twice in one block, as a wallet does by itself. Returns the transactions. */
  async function depositTwice() {
    const { address } = recipient;
    const url = truth.transport.url ?? "";
    await createTestClient({ mode: "anvil", transport: http(url) }).setBalance({ address, value: 10n ** 18n });
    const wallet = createWalletClient({ account: privateKeyToAccount(recipient.walletKey), transport: http(url) });
    const nonce = await truth.getTransactionCount({ address });
    const sent: Hex[] = [];
    // The first that is sent waits for the other, whose nonce comes before its own.
    for (const [after, gwei] of [
      [1, 2n],
      [0, 1n],
    ] as const) {
      const value = gwei * 1_000_000_000n;
      const data = encodeFunctionData({ abi: ledgerAbi, functionName: "deposit", args: [zeroAddress, value] });
      const call = { to: env().chains.test.ledger, value, data, gas: 500_000n, nonce: nonce + after, chain: null };
      sent.push(await wallet.sendTransaction(call));
    }
    const mined = await Promise.all(sent.map((hash) => truth.waitForTransactionReceipt({ hash })));
    expect(mined.map(({ status }) => status)).toEqual(["success", "success"]);
    expect(mined[0]?.blockHash).toBe(mined[1]?.blockHash);
    return sent;
  }

  test.each([
    ["has", undefined],
    ["lacks", "eth_getBlockReceipts"],
  ])("hides neither: both are credited, if it %s eth_getBlockReceipts", async (_, method) => {
    await catchUp();
    const before = await depositedOf();
    const [hidden] = await depositTwice();
    const isShown = ({ transactionHash }: Log) => transactionHash !== hidden;
    node.lie((call, logs) => (call.method === "eth_getLogs" ? (logs as Log[]).filter(isShown) : undefined));
    node.lacks(method);
    await catchUp();
    expect(await depositedOf()).toBe(before + 3n);
  });
});

describe("a node that makes up payments, with a second provider set", () => {
  const url = { truth: "" };
  beforeAll(() => {
    url.truth = truth.transport.url ?? "";
  });
  afterEach(() => {
    env().chains.test.checkRpcUrl = undefined;
  });
  const twice = (logs: object[]) => logs.flatMap((log) => [log, { ...log, logIndex: "0xff" }]);
  const oneMore: Lie = ({ method }, used) => {
    if (method === "eth_getLogs") return twice(used as object[]);
    if (method !== "eth_getBlockReceipts") return undefined;
    return (used as { logs: object[] }[]).map((receipt) => ({ ...receipt, logs: twice(receipt.logs) }));
  };

  test("moves nothing while the two differ, and settles what both show", async () => {
    const row = await pay("25");
    const before = await cursor();
    env().chains.test.checkRpcUrl = url.truth;
    node.lie(oneMore);
    const warn = vi.spyOn(log(), "warn");
    await expect(indexNext(CHAIN)).rejects.toThrow("two providers that differ in the events of blocks");
    const what = expect.stringContaining("the events of blocks");
    expect(warn).toHaveBeenCalledWith({ chainId: CHAIN, what }, "two providers differ");
    warn.mockRestore();
    expect(await cursor()).toEqual(before);
    expect(await statuses(row.id)).toEqual(["pending"]);
    node.lie();
    await catchUp();
    expect(await statuses(row.id)).toEqual(["confirmed"]);
    expect((await received()).filter((amount) => amount === 25_000_000n)).toHaveLength(1);
  });

  test("confirms nothing by a receipt that one of them makes up", async () => {
    const row = await pay("27");
    const other = await pay("28");
    env().chains.test.checkRpcUrl = url.truth;
    const receipt = await truth.request({ method: "eth_getTransactionReceipt", params: [other.txHash] });
    node.lie(({ method, params }) =>
      method === "eth_getTransactionReceipt" && params[0] === row.txHash
        ? { ...receipt, transactionHash: row.txHash }
        : undefined,
    );
    await expect(successOf(CHAIN, row.txHash)).rejects.toThrow(
      `two providers that differ in the receipt of ${row.txHash}`,
    );
    node.lie(({ method }) => (method === "eth_call" ? `0x${"00".repeat(32)}` : undefined));
    const commitment = callAt(
      CHAIN,
      (await finalBlock(CHAIN)).hash,
      env().chains.test.ledger,
      ledgerAbi,
      "availableOf",
      [payer.address, env().chains.test.usdg],
    );
    await expect(commitment).rejects.toThrow("two providers that differ in availableOf of");
    node.lie();
    expect((await successOf(CHAIN, row.txHash))?.events).not.toEqual([]);
    await catchUp();
    expect(await statuses(row.id, other.id)).toEqual(["confirmed", "confirmed"]);
  });

  test("takes no block for final that only one of them calls so", async () => {
    const row = await pay("29");
    const before = await cursor();
    const old = await truth.request({
      method: "eth_getBlockByNumber",
      params: [numberToHex(before?.blockNumber ?? 0n), false],
    });
    const behind = await startLyingRpc(url.truth);
    try {
      behind.lie(({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "latest" ? old : undefined,
      );
      env().chains.test.checkRpcUrl = behind.url;
      expect(await indexNext(CHAIN)).toBe("current");
      expect(await cursor()).toEqual(before);
      expect(await statuses(row.id)).toEqual(["pending"]);
      behind.lie();
      await catchUp();
      expect(await statuses(row.id)).toEqual(["confirmed"]);
    } finally {
      await behind.stop();
    }
  });

  test("closes no attempt by a receipt that one of them makes up: test money comes once, and a failure is none", async () => {
    env().chains.test.checkRpcUrl = url.truth;
    const statusOf = async (id: string) =>
      (await db().select().from(outgoingTransactions).where(eq(outgoingTransactions.operationId, id)))[0]?.status;
    // A mint is judged by its receipt alone.
    const mint = await recipient.mint("1");
    const [sent] = await db().select().from(outgoingTransactions).where(eq(outgoingTransactions.operationId, mint));
    if (sent) await untilMined(sent.hash);
    node.lie(({ method }, receipt) =>
      method === "eth_getTransactionReceipt" && receipt ? { ...receipt, status: "0x0" } : undefined,
    );
    await sweep(CHAIN);
    expect(["signed", "sent"]).toContain(await statusOf(mint));
    node.lie();
    await sweep(CHAIN);
    expect(await statusOf(mint)).toBe("mined");
  });

  test("encrypts to no key that one of them makes up, and to the true one once it is honest again", async () => {
    env().chains.test.checkRpcUrl = url.truth;
    vi.resetModules();
    const { viewingKeyOf } = await import("./viewing-key-of");
    const { env: envOfNew } = await import("@/lib/base/env");
    envOfNew().chains.test.checkRpcUrl = url.truth;
    const { address } = recipient;
    node.lie(({ method }, data) =>
      method === "eth_call"
        ? (data as string).replace(/[0-9a-f]{2}/g, (byte) => (byte === "00" ? "00" : "01"))
        : undefined,
    );
    await expect(viewingKeyOf(CHAIN, address)).rejects.toMatchObject({ code: "unavailable" });
    node.lie();
    expect((await viewingKeyOf(CHAIN, address))?.pending).toBe(false);
  });

  test("refuses no contract wallet's signature that one of them alone calls wrong", async () => {
    env().chains.test.checkRpcUrl = url.truth;
    const wallet = `0x${"c0de".repeat(10)}` as const;
    // Returns the magic value of ERC-1271, whatever it is asked.
    const bytecode = `0x7f1626ba7e${"00".repeat(28)}60005260206000f3` as const;
    await createTestClient({ mode: "anvil", transport: http(url.truth) }).setCode({ address: wallet, bytecode });
    const isValid = () => isValidSignature(CHAIN, wallet, `0x${"11".repeat(32)}`, "0x01");
    node.refuse(async ({ method }) => (method === "eth_call" ? "execution reverted" : undefined));
    await expect(isValid()).rejects.toMatchObject({ code: "unavailable" });
    node.refuse();
    expect(await isValid()).toBe(true);
  });

  test("moves nothing while the second is away", async () => {
    const row = await pay("26");
    env().chains.test.checkRpcUrl = "http://127.0.0.1:1";
    await expect(indexNext(CHAIN)).rejects.toThrow("HTTP request failed");
    expect(await statuses(row.id)).toEqual(["pending"]);
    env().chains.test.checkRpcUrl = url.truth;
    await catchUp();
    expect(await statuses(row.id)).toEqual(["confirmed"]);
  });
});

describe("a node that overstates a relayer's transactions while the service starts", () => {
  afterEach(() => {
    env().chains.test.checkRpcUrl = undefined;
  });
  const moreBy =
    (extra: bigint): Lie =>
    ({ method }, used) =>
      method === "eth_getTransactionCount" ? numberToHex(BigInt(used as Hex) + extra) : undefined;
  const [more, manyMore] = [moreBy(2n), moreBy(1_001n)];
  const nonces = () =>
    db()
      .select({ nonce: relayers.nextNonce })
      .from(relayers)
      .where(eq(relayers.chainId, CHAIN))
      .orderBy(relayers.address);

  test("moves no nonce while a second provider shows fewer", async () => {
    await catchUp();
    const before = await nonces();
    env().chains.test.checkRpcUrl = truth.transport.url;
    node.lie(more);
    await registerRelayers(CHAIN);
    expect(await nonces()).toEqual(before);
  });

  test("moves none by more than 1,000 on its word alone, and the log says so; with a second that shows it, it does", async () => {
    await catchUp();
    const before = await nonces();
    const error = vi.spyOn(log(), "error").mockReturnValue();
    node.lie(manyMore);
    await registerRelayers(CHAIN);
    expect(await nonces()).toEqual(before);
    expect(error).toHaveBeenCalledWith(
      expect.objectContaining({ chainId: CHAIN }),
      expect.stringContaining("believed"),
    );
    env().chains.test.checkRpcUrl = node.url;
    await registerRelayers(CHAIN);
    expect(await nonces()).toEqual(before.map(({ nonce }) => ({ nonce: nonce + 1_001 })));
    node.lie();
    // A relayer of a local chain that has nothing under way begins with the chain's number again.
    await registerRelayers(CHAIN);
    expect(await nonces()).toEqual(before);
    error.mockRestore();
  });

  test("leaves a gap without one, which is filled once it is honest again: the payment behind it is made", async () => {
    await catchUp();
    const before = await nonces();
    node.lie(more);
    await registerRelayers(CHAIN);
    expect(await nonces()).toEqual(before.map(({ nonce }) => ({ nonce: nonce + 2 })));
    node.lie();
    const input = { to: `@${recipient.account.handle}`, amount: "30", asset: "USDG" as const, confidential: true };
    const { row } = paidTransfer(await createTransfer(await payer.key(), input));
    const longAgo = new Date(Date.now() - 60_000);
    await db()
      .update(outgoingTransactions)
      .set({ createdAt: longAgo })
      .where(eq(outgoingTransactions.operationId, row.operationId));
    await withWorker(async () => expect(await settled(row.operationId)).toEqual(["confirmed"]));
    // A relayer of a local chain that has nothing under way begins with the chain's number again.
    await registerRelayers(CHAIN);
  });
});

describe("an index that lacks a block", () => {
  /** Moves the cursor as if the newest blocks had no events. */
  const skip = async () => {
    const head = await finalBlock(CHAIN);
    await db().transaction((tx) => writeIndexCursor(tx, CHAIN, head));
  };

  test("fails no payment whose note the ledger has, though it has no receipts, and is read again", async () => {
    const [first, second] = [await pay("8"), await pay("9")];
    await skip();
    await expire(first.operationId, second.operationId);
    node.lie(({ method }) => (method === "eth_getTransactionReceipt" ? null : undefined));
    for (let round = 0; round < 4; round += 1) {
      await pay("0.5");
      await indexNext(CHAIN);
      expect(await statuses(first.id, second.id)).not.toContain("failed");
    }
    node.lie();
    await catchUp();
    expect(await statuses(first.id, second.id)).toEqual(["confirmed", "confirmed"]);
    expect(await received()).toEqual(expect.arrayContaining([8_000_000n, 9_000_000n]));
  });

  test("confirms a move to the available balance that the wallet sent by itself, and is read again once", async () => {
    await pay("30");
    await catchUp();
    const { address, walletKey } = recipient;
    const url = truth.transport.url ?? "";
    node.refuse(async ({ method }) => (method === "eth_sendRawTransaction" ? "not now" : undefined));
    const id = await recipient.makeAvailable();
    const [operation] = await db().select().from(operations).where(eq(operations.id, id));
    const [attempt] = await db().select().from(outgoingTransactions).where(eq(outgoingTransactions.operationId, id));
    if (!operation || !attempt) throw new Error("no operation");
    await createTestClient({ mode: "anvil", transport: http(url) }).setBalance({ address, value: 10n ** 18n });
    const wallet = createWalletClient({ account: privateKeyToAccount(walletKey), transport: http(url) });
    const { data, gas } = operation;
    await untilMined(await wallet.sendTransaction({ to: operation.target, data, gas, chain: null }));
    // The service's own attempt comes too late.
    node.refuse();
    await sendRaw(CHAIN, attempt.raw);
    await untilMined(attempt.hash);
    await skip();
    await expire(id);
    const error = vi.spyOn(log(), "error").mockReturnValue();
    for (let round = 0; round < 8; round += 1) {
      await pay("0.5");
      await catchUp();
    }
    const readAgain = error.mock.calls.filter(([, message]) => String(message).includes("reading it again"));
    error.mockRestore();
    const [after] = await db().select().from(operations).where(eq(operations.id, id));
    expect(after?.status).toBe("confirmed");
    expect(readAgain).toHaveLength(1);
    expect(await db().select().from(reservations).where(eq(reservations.operationId, id))).toEqual([]);
  });

  test("confirms what a receipt shows, and is read again", async () => {
    const [first, second] = [await pay("10"), await pay("11")];
    await skip();
    await expire(first.operationId, second.operationId);
    await pay("0.5");
    await catchUp();
    expect(await statuses(first.id, second.id)).toEqual(["confirmed", "confirmed"]);
    expect(await received()).toEqual(expect.arrayContaining([10_000_000n, 11_000_000n]));
    for (const { id } of [first, second])
      expect(await announced(id)).toEqual(["transfer.initiated", "transfer.confirmed"]);
  });
});

describe("a node that lags or responds from another chain", () => {
  test("moves nothing: an older head, no block where the index stands, logs of other blocks", async () => {
    const row = await pay("12");
    const before = await cursor();
    const old = await truth.request({
      method: "eth_getBlockByNumber",
      params: [`0x${((before?.blockNumber ?? 0n) - 1n).toString(16)}`, false],
    });
    node.lie(({ method, params }) => (method === "eth_getBlockByNumber" && params[0] === "latest" ? old : undefined));
    expect(await indexNext(CHAIN)).toBe("busy");
    node.lie(({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] === `0x${before?.blockNumber.toString(16)}` ? null : undefined,
    );
    expect(await indexNext(CHAIN)).toBe("busy");
    const foreign = `0x${"ab".repeat(32)}`;
    node.lie(({ method }, response) =>
      method === "eth_getLogs" ? (response as object[]).map((log) => ({ ...log, blockHash: foreign })) : undefined,
    );
    await expect(indexNext(CHAIN)).rejects.toThrow("logs of another block");
    expect(await cursor()).toEqual(before);
    expect(await statuses(row.id)).toEqual(["pending"]);
    node.lie();
    expect((await blockAt(CHAIN, before?.blockNumber ?? 0n))?.hash).toBe(before?.blockHash);
    await catchUp();
    expect(await statuses(row.id)).toEqual(["confirmed"]);
  });
});

describe("a process that starts while its node is away", () => {
  /** Simulates a new process, whose memory is empty. */
  const restarted = async () => {
    vi.resetModules();
    return {
      create: (await import("@/lib/payments/create-transfer")).createTransfer,
      scopeOf: (await import("./scope-of")).scopeOf,
      viewingKeyOf: (await import("./viewing-key-of")).viewingKeyOf,
    };
  };

  afterEach(() => node.away(false));

  test("says 503 where it has to ask for a recipient's key, and pays those whose key it knows; it goes out later", async () => {
    const { create, viewingKeyOf } = await restarted();
    node.away(true);
    const input = { to: `@${recipient.account.handle}`, amount: "13", asset: "USDG" as const, confidential: true };
    const refused = create(await payer.key(), input);
    await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfter: expect.any(Number) });
    node.away(false);
    await Promise.all([payer, recipient].map(({ address }) => viewingKeyOf(CHAIN, address)));
    node.away(true);
    const { row } = paidTransfer(await create(await payer.key(), input));
    node.away(false);
    await withWorker(async () => expect(await settled(row.operationId)).toEqual(["confirmed"]));
  });

  test("finds the ledger's salt where another process stored it, and reads and stores it once the node is back", async () => {
    node.away(true);
    expect((await (await restarted()).scopeOf(CHAIN)).domainSalt).toBe(payer.scope.domainSalt);
    await db().delete(ledgerDomains);
    const { scopeOf } = await restarted();
    await expect(scopeOf(CHAIN)).rejects.toThrow("HTTP request failed");
    node.away(false);
    expect((await scopeOf(CHAIN)).domainSalt).toBe(payer.scope.domainSalt);
    expect(await db().select().from(ledgerDomains)).toHaveLength(1);
  });
});

test("a request that waits for a node, or for the second one, gives way to its account's next request", async () => {
  env().chains.test.checkRpcUrl = truth.transport.url;
  try {
    for (const client of [publicClient(CHAIN), checkingClient(CHAIN)]) {
      const giveWay = vi.fn();
      await onBehalfOf("acc_1", () => client?.getBlockNumber({ cacheTime: 0 }) ?? Promise.resolve(), giveWay);
      expect(giveWay).toHaveBeenCalled();
    }
  } finally {
    env().chains.test.checkRpcUrl = undefined;
  }
});
