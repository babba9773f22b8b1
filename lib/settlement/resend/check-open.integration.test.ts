import { and, eq } from "drizzle-orm";
import { createPublicClient, type Hex, http, numberToHex, type PublicClient } from "viem";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { env } from "@/lib/base/env";
import { log } from "@/lib/base/telemetry/log";
import { currentFees } from "@/lib/chain/fees";
import { registerRelayers } from "@/lib/chain/operations/register-relayers";
import { relayerAccount } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { settled } from "@/test/accounts/owner";
import { collectCounts } from "@/test/attacks/alarms";
import { asOwner } from "@/test/services/as-owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type Lie, type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";
import { attempts, makeOld, recordUnsent } from "@/test/settlement/relayed";
import { checkOpen } from "./check-open";
import { reprice } from "./reprice";
import { resendFailed } from "./resend-failed";
import { sendAgain } from "./send-again";
import { sweep } from "./sweep";

const CHAIN = 46630;
const POSITION = 0;
let services: LocalServices;
let node: LyingRpc;
let truth: PublicClient;
let relayer: Hex;
let alarms: ReturnType<typeof collectCounts>;

beforeAll(async () => {
  services = await startLocalServices(async ({ RPC_URL_46630 = "" }) => {
    node = await startLyingRpc(RPC_URL_46630);
    truth = createPublicClient({ transport: http(RPC_URL_46630) });
    return { RPC_URL_46630: node.url };
  });
  relayer = relayerAccount(CHAIN, POSITION).address.toLowerCase() as Hex;
  alarms = collectCounts("halcyon.relayer.foreign", "chain");
  // By then it has gas.
  await withWorker(async () => settled((await recordUnsent(CHAIN, POSITION)).id));
});
afterEach(async () => {
  env().chains.test.checkRpcUrl = undefined;
  node.lie();
  node.refuse();
  vi.restoreAllMocks();
  await withWorker(async () => settled((await recordUnsent(CHAIN, POSITION)).id));
  alarms.heard.splice(0);
});
afterAll(async () => {
  alarms?.stop();
  await services?.stop();
  await node?.stop();
});

async function statusOf(id: string) {
  return (await attempts(id))[0]?.status;
}

async function nonceOf(id: string): Promise<number> {
  return (await attempts(id))[0]?.nonce ?? Number.NaN;
}

const atNonce = (nonce: number) =>
  db()
    .select()
    .from(outgoingTransactions)
    .where(and(eq(outgoingTransactions.relayer, relayer), eq(outgoingTransactions.nonce, nonce)));

const nextNonce = async () =>
  (await db().select().from(relayers).where(eq(relayers.address, relayer)))[0]?.nextNonce ?? Number.NaN;

/** Looks until an operation's transaction is closed. */
async function lookUntilClosed(id: string): Promise<void> {
  while ((await statusOf(id)) === "signed") await checkOpen(CHAIN);
}

/** Sends signed bytes past the worker. */
async function mine(raw: Hex): Promise<void> {
  const hash = await truth.request({ method: "eth_sendRawTransaction", params: [raw] });
  await truth.waitForTransactionReceipt({ hash, pollingInterval: 20 });
}

/** Uses a nonce of the relayer's for a transaction that the database lacks. */
async function useElsewhere(nonce: number): Promise<void> {
  const call = { target: relayer, data: "0xc0ffee", value: 0n, gas: 100_000n } as const;
  const { raw } = await signTransaction(CHAIN, relayerAccount(CHAIN, POSITION), nonce, call, await currentFees(CHAIN));
  await mine(raw);
}

/** The node says that the relayer has used so many nonces. */
const countOf =
  (used: number): Lie =>
  ({ method }) =>
    method === "eth_getTransactionCount" ? numberToHex(used) : undefined;

/** Has a gap filled that there is not: the nonce's transaction is mined. Returns the operation that was mined. */
async function fillFalsely(): Promise<{ mined: string; nonce: number; behind: string }> {
  const { id: mined, raw } = await recordUnsent(CHAIN, POSITION, "0xc0ffee");
  await mine(raw);
  // As after a node that lied about its receipt.
  await setStatus(mined, "replaced");
  const nonce = await nonceOf(mined);
  const { id: behind } = await recordUnsent(CHAIN, POSITION);
  await makeOld(behind);
  node.lie(countOf(nonce));
  await reprice(CHAIN);
  node.lie();
  return { mined, nonce, behind };
}

/** Does some work while the database refuses to store rows for which a condition does not hold. */
const withCheck = (table: string, condition: string, work: () => Promise<void>) =>
  asOwner(async (sql) => {
    await sql.unsafe(`alter table ${table} add constraint refused check (${condition}) not valid`);
    await work().finally(() => sql.unsafe(`alter table ${table} drop constraint refused`));
  });

/** Refuses to store a status, of one operation or of all, as a database does that fails in the middle of its work. */
const withoutStatus = (status: string, work: () => Promise<void>, id?: string) =>
  withCheck("outgoing_transactions", `status <> '${status}'${id ? ` or operation_id <> '${id}'` : ""}`, work);

/** Sets the status of an operation's transaction past the sweep. */
const setStatus = (id: string, status: "signed" | "mined" | "reverted" | "replaced") =>
  db().update(outgoingTransactions).set({ status }).where(eq(outgoingTransactions.operationId, id));

test("a fill whose nonce another transaction of ours had used is closed, and raises no alarm", async () => {
  const { mined, nonce } = await fillFalsely();
  const fill = (await atNonce(nonce)).find(({ operationId }) => operationId !== mined);
  expect(fill?.status).toBe("signed");
  await lookUntilClosed(fill?.operationId ?? "");
  expect(await statusOf(fill?.operationId ?? "")).toBe("replaced");
  expect(alarms.heard).toEqual([]);
});

test("a fill whose nonce someone else's transaction used raises the alarm, once", async () => {
  const nonce = await nextNonce();
  await db()
    .update(relayers)
    .set({ nextNonce: nonce + 1 })
    .where(eq(relayers.address, relayer));
  await makeOld((await recordUnsent(CHAIN, POSITION)).id);
  node.refuse(async ({ method }) => (method === "eth_sendRawTransaction" ? "not now" : undefined));
  await reprice(CHAIN);
  const [fill] = await atNonce(nonce);
  expect(fill?.status).toBe("signed");
  await useElsewhere(nonce);
  await lookUntilClosed(fill?.operationId ?? "");
  expect(await atNonce(nonce)).toMatchObject([{ status: "replaced" }]);
  expect(alarms.heard).toEqual([`${CHAIN}`]);
});

test("a node that lags behind what it has mined leaves no gap: nothing is filled", async () => {
  const mined = await recordUnsent(CHAIN, POSITION);
  await mine(mined.raw);
  await checkOpen(CHAIN);
  expect(await statusOf(mined.id)).toBe("mined");
  await makeOld((await recordUnsent(CHAIN, POSITION)).id);
  const nonce = await nonceOf(mined.id);
  node.lie(countOf(nonce));
  await reprice(CHAIN);
  expect(await atNonce(nonce)).toMatchObject([{ operationId: mined.id }]);
});

test("a made-up transaction that counts as mined has nothing filled while a later one is really mined", async () => {
  const [fake, mined] = [await recordUnsent(CHAIN, POSITION), await recordUnsent(CHAIN, POSITION)];
  for (const { raw } of [fake, mined]) await mine(raw);
  await checkOpen(CHAIN);
  expect([await statusOf(fake.id), await statusOf(mined.id)]).toEqual(["mined", "mined"]);
  await db()
    .update(outgoingTransactions)
    .set({ hash: `0x${"ab".repeat(32)}` })
    .where(eq(outgoingTransactions.operationId, fake.id));
  await makeOld((await recordUnsent(CHAIN, POSITION)).id);
  const nonce = await nonceOf(fake.id);
  node.lie(countOf(nonce));
  await reprice(CHAIN);
  expect(await atNonce(nonce)).toMatchObject([{ operationId: fake.id }]);
});

test("a database that fails is no chain that shows nothing: the sweep fails, and goes on where it was", async () => {
  const { id, raw } = await recordUnsent(CHAIN, POSITION);
  await mine(raw);
  await withoutStatus("mined", () => expect(checkOpen(CHAIN)).rejects.toThrow());
  expect(await statusOf(id)).toBe("signed");
  await checkOpen(CHAIN);
  expect(await statusOf(id)).toBe("mined");
});

test("a transaction that the database refuses to close holds up no other", async () => {
  const [refused, next] = [await recordUnsent(CHAIN, POSITION), await recordUnsent(CHAIN, POSITION)];
  for (const { raw } of [refused, next]) await mine(raw);
  await withoutStatus("mined", () => expect(checkOpen(CHAIN)).rejects.toThrow(), refused.id);
  expect([await statusOf(refused.id), await statusOf(next.id)]).toEqual(["signed", "mined"]);
  await checkOpen(CHAIN);
});

test("a sweep that loses its lock closes nothing else, and ends before another one of its process begins", async () => {
  const [first, next] = [await recordUnsent(CHAIN, POSITION), await recordUnsent(CHAIN, POSITION)];
  for (const { raw } of [first, next]) await mine(raw);
  let isLost = false;
  node.refuse(async ({ method }) => {
    if (method !== "eth_getTransactionReceipt" || isLost) return undefined;
    isLost = true;
    await asOwner(
      (sql) => sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7202
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return undefined;
  });
  await expect(sweep(CHAIN)).rejects.toThrow();
  expect(isLost).toBe(true);
  expect([await statusOf(first.id), await statusOf(next.id)]).toEqual(["mined", "signed"]);
  await sweep(CHAIN);
  expect(await statusOf(next.id)).toBe("mined");
});

test("a transaction that was sent and that the database does not note as sent holds up no other", async () => {
  const [refused, next] = [await recordUnsent(CHAIN, POSITION), await recordUnsent(CHAIN, POSITION)];
  for (const { id } of [refused, next]) await makeOld(id);
  await withoutStatus("sent", () => expect(sendAgain(CHAIN)).rejects.toThrow(), refused.id);
  expect([await statusOf(refused.id), await statusOf(next.id)]).toEqual(["signed", "sent"]);
});

test("an operation that the database refuses to repeat holds up no newer one", async () => {
  const [refused, next] = [await recordUnsent(CHAIN, POSITION), await recordUnsent(CHAIN, POSITION)];
  for (const { id, raw } of [refused, next]) {
    await mine(raw);
    await setStatus(id, "reverted");
    await db().update(operations).set({ resendAt: new Date() }).where(eq(operations.id, id));
  }
  await withCheck("operations", `id <> '${refused.id}'`, () => expect(resendFailed(CHAIN)).rejects.toThrow());
  expect([(await attempts(refused.id)).length, (await attempts(next.id)).length]).toEqual([1, 2]);
});

test("a nonce is filled although a receipt was made up for it, and a hundred transactions have lost it", async () => {
  const { id } = await recordUnsent(CHAIN, POSITION, "0xc0ffee");
  const nonce = await nonceOf(id);
  await makeOld((await recordUnsent(CHAIN, POSITION)).id);
  await asOwner(async (sql) => {
    await sql`update outgoing_transactions set status = 'mined' where operation_id = ${id}`;
    await sql`insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at)
      select operation_id, chain_id, relayer, nonce, sha256(n::text::bytea), raw, 'replaced', created_at
      from outgoing_transactions, generate_series(1, 120) n where operation_id = ${id}`;
  });
  await reprice(CHAIN);
  const fills = (await atNonce(nonce)).filter(({ operationId }) => operationId !== id);
  expect(fills).toMatchObject([{ status: "signed" }]);
});

test("a look that fails counts neither for nor against a transaction, and its alarm is raised once", async () => {
  const { id } = await recordUnsent(CHAIN, POSITION);
  await useElsewhere(await nonceOf(id));
  for (let looks = 0; looks < 4; looks += 1) await checkOpen(CHAIN);
  node.refuse(async ({ method }) => (method === "eth_getTransactionReceipt" ? "not now" : undefined));
  await checkOpen(CHAIN);
  node.refuse(async ({ method }) => (method === "eth_getLogs" ? "not now" : undefined));
  await checkOpen(CHAIN);
  node.refuse();
  expect(await statusOf(id)).toBe("signed");
  await withoutStatus("replaced", () => expect(checkOpen(CHAIN)).rejects.toThrow());
  expect(await statusOf(id)).toBe("signed");
  await checkOpen(CHAIN);
  expect(await statusOf(id)).toBe("replaced");
  expect(alarms.heard).toEqual([`${CHAIN}`]);
});

test("the looks at a transaction that was closed elsewhere do not count once it is open again", async () => {
  const { id } = await recordUnsent(CHAIN, POSITION);
  await useElsewhere(await nonceOf(id));
  for (let looks = 0; looks < 4; looks += 1) await checkOpen(CHAIN);
  await setStatus(id, "replaced");
  await checkOpen(CHAIN);
  await setStatus(id, "signed");
  await checkOpen(CHAIN);
  expect(await statusOf(id)).toBe("signed");
  await lookUntilClosed(id);
  expect(alarms.heard).toEqual([`${CHAIN}`]);
});

/** Makes up a mined transaction that carries an operation's call, in the ledger's newest events. */
async function madeUp(id: string): Promise<Lie> {
  const transaction = { from: relayer, nonce: numberToHex(await nonceOf(id)), to: relayer, input: "0x" };
  return ({ method }) => {
    if (method === "eth_getLogs") return [{ transactionHash: `0x${"ab".repeat(32)}` }];
    return method === "eth_getTransactionByHash" ? { ...transaction, blockHash: `0x${"cd".repeat(32)}` } : undefined;
  };
}

test("a version of our own that one provider makes up keeps back no alarm while a second one lacks it", async () => {
  env().chains.test.checkRpcUrl = truth.transport.url;
  const { id } = await recordUnsent(CHAIN, POSITION);
  await useElsewhere(await nonceOf(id));
  node.lie(await madeUp(id));
  await lookUntilClosed(id);
  expect(alarms.heard).toEqual([`${CHAIN}`]);
});

test("of an account with many events, the newest 200 transactions are looked at", async () => {
  const { id } = await recordUnsent(CHAIN, POSITION);
  await useElsewhere(await nonceOf(id));
  const hashes = Array.from({ length: 300 }, (_, i) => numberToHex(i + 1, { size: 32 }));
  const looked: unknown[] = [];
  node.lie(({ method, params }) => {
    if (method === "eth_getLogs") return hashes.map((transactionHash) => ({ transactionHash }));
    if (method === "eth_getTransactionByHash") looked.push(params[0]);
    return undefined;
  });
  await lookUntilClosed(id);
  expect(new Set(looked)).toEqual(new Set(hashes.slice(100)));
});

test("one provider alone moves a relayer on by 1,000 nonces at most when it says that they are used", async () => {
  const error = vi.spyOn(log(), "error");
  const { id } = await recordUnsent(CHAIN, POSITION);
  const nonce = await nonceOf(id);
  node.lie(countOf(nonce + 1_000_000));
  await lookUntilClosed(id);
  expect(await statusOf(id)).toBe("replaced");
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ nonce }), expect.stringContaining("did not sign"));
  expect(await nextNonce()).toBe(nonce + 1 + 1_000);
  node.lie();
  await useElsewhere(nonce);
  // A relayer of a local chain that has nothing under way begins with the chain's number again.
  await registerRelayers(CHAIN);
});
