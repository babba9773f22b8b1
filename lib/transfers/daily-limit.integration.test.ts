import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { transfers } from "@/db/schema/transfers";
import { fromHex } from "@/lib/ledger/bytes";
import { openPayerCopy } from "@/lib/ledger/copies";
import { hexToWord } from "@/lib/ledger/field";
import { formatAmount } from "@/lib/money";
import { Agent } from "@/scripts/testing/agent";
import { createApiKey } from "@/scripts/testing/api-key";
import { type LocalServices, startLocalServices } from "@/scripts/testing/local-services";
import { Owner, settled } from "@/scripts/testing/owner";
import { PayingServer } from "@/scripts/testing/paying-server";
import { withWorker } from "@/scripts/testing/with-worker";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./created-transfer";

/*
 * The daily limit holds whatever happens: what was executed and what is under way of one day never passes it, what
 * failed on chain is given back in full, and what is left can be spent to the last unit. Three days, each with a
 * recipient of its own, so that the owner can tell from its payer copies what was paid on which.
 */

// A process that dies right after its commit never broadcasts.
const crash = vi.hoisted(() => ({ beforeBroadcast: false }));
vi.mock("@/lib/chain/broadcast", async (load) => {
  const real = await load<typeof import("@/lib/chain/broadcast")>();
  const broadcast: typeof real.broadcast = (operation) => {
    if (!crash.beforeBroadcast) real.broadcast(operation);
  };
  return { ...real, broadcast };
});

const CHAIN = 46630;
const FUNDS = 4_000_000_000n;
const LIMIT = 100_000_000n;
const REQUESTS = 110; // in each of three rounds
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 10, 23);

let services: LocalServices;
let owner: Owner;
let agent: Agent;
let apiKey: string;
let days: Owner[];
let servers: PayingServer[];

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    owner = await Owner.funded(CHAIN, 5_000_000_000n);
    const made = await Agent.create(owner, { dailyLimit: LIMIT });
    agent = made.agent;
    days = await Promise.all(Array.from({ length: 3 }, () => Owner.create(CHAIN)));
    const enrolled = await Promise.all(days.map((day) => day.enroll()));
    const body = { to: `@${agent.account.handle}`, amount: "4000", asset: "USDG" as const, confidential: true };
    const { row } = paidTransfer(await createTransfer(await owner.key(), body));
    await settled(made.operationId, row.operationId, ...enrolled);
  });
  apiKey = (await createApiKey(agent)).text;
  servers = [new PayingServer(), new PayingServer()];
}, 240_000);

afterAll(async () => {
  await Promise.all(servers?.map((server) => server.kill()) ?? []);
  await services?.stop();
}, 30_000);

/** What was paid on each day and has not failed, as the owner opens it. */
async function spentByDay(): Promise<bigint[]> {
  const rows = await db()
    .select()
    .from(transfers)
    .where(and(eq(transfers.payerId, agent.account.id), inArray(transfers.status, ["pending", "confirmed"])));
  const sums = days.map(() => 0n);
  for (const row of rows) {
    const place = { scope: owner.scope, account: agent.address, asset: row.asset, commitment: hexToWord(row.newWord) };
    const copy = await openPayerCopy(owner.viewing.secret, place, fromHex(row.payerCiphertext));
    const day = days.findIndex(({ address }) => address === row.recipientAddress);
    if (!copy || day < 0) throw new Error("a payment nobody knows");
    sums[day] = (sums[day] ?? 0n) + copy.amount;
  }
  return sums;
}

/** A payment of 1 to 20 USDG within half an hour of the midnight after `day`. */
function randomPayment(day: number) {
  const at = FIRST_DAY + (day + 1) * DAY + Math.floor((Math.random() - 0.5) * 3_600_000);
  const units = 1_000_000n + BigInt(Math.floor(Math.random() * 19_000_000));
  const payee = days[Math.floor((at - FIRST_DAY) / DAY)];
  return { apiKey, to: `@${payee?.account.handle}`, amount: formatAmount(units, 6), at };
}

/** Very many payments round one midnight, on both servers at once, while somebody keeps an eye on the limit. */
async function round(day: number, meanwhile: () => Promise<void> = async () => {}): Promise<string[]> {
  let over = false;
  const asked = Array.from({ length: REQUESTS }, (_, n) => servers[n % servers.length]?.pay(randomPayment(day)));
  const answers = Promise.all(asked).finally(() => {
    over = true;
  });
  const watch = async () => {
    while (!over) {
      for (const spent of await spentByDay()) expect(spent).toBeLessThanOrEqual(LIMIT);
      await sleep(250);
    }
  };
  const [outcomes] = await Promise.all([answers, watch(), meanwhile()]);
  return outcomes.map(String);
}

const rowsOf = () => db().select().from(transfers).where(eq(transfers.payerId, agent.account.id));
const attempts = (status: "mined" | "reverted", operationIds: string[]) =>
  db()
    .select({ id: outgoingTransactions.id })
    .from(outgoingTransactions)
    .where(and(inArray(outgoingTransactions.operationId, operationIds), eq(outgoingTransactions.status, status)));

test("330 payments over two servers, across midnights, reverts and restarts, never pass the daily limit", async () => {
  // Round one builds on a payment that never comes true: everything reverts on chain and is given back.
  crash.beforeBroadcast = true;
  const body = { to: `@${days[0]?.account.handle}`, amount: "30", asset: "USDG" as const, confidential: true };
  const clock = () => new Date(FIRST_DAY + DAY - 60_000);
  await createTransfer(await agent.key(), body, undefined, { deadlineSeconds: 3, clock });
  crash.beforeBroadcast = false;
  expect(new Set(await round(0))).toEqual(new Set(["paid", "daily_limit"]));
  expect((await spentByDay())[0]).toBeGreaterThan(30_000_000n);
  await sleep(3_500);
  await withWorker(async () => {
    const ids = (await rowsOf()).map(({ operationId }) => operationId);
    expect(new Set(await settled(...ids))).toEqual(new Set(["failed"]));
    await expect.poll(async () => (await attempts("reverted", ids)).length, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(await attempts("mined", ids)).toEqual([]);
  });
  expect(await spentByDay()).toEqual([0n, 0n, 0n]);

  await withWorker(async () => {
    // Round two, the same midnight again. Round three, the next one: a server dies in the middle, another comes.
    expect(new Set(await round(0))).toEqual(new Set(["paid", "daily_limit"]));
    const outcomes = await round(1, async () => {
      await sleep(1_500);
      await servers[0]?.kill();
      servers[0] = new PayingServer();
    });
    expect(outcomes.filter((one) => !["paid", "daily_limit", "killed"].includes(one))).toEqual([]);
    // What is left of a day is there to the last unit, and not one more.
    const spent = await spentByDay();
    for (const day of [1, 2]) {
      const order = { apiKey, to: `@${days[day]?.account.handle}`, at: FIRST_DAY + (day + 1) * DAY - 1 };
      const left = LIMIT - (spent[day] ?? 0n);
      if (left > 0n) expect(await servers[1]?.pay({ ...order, amount: formatAmount(left, 6) })).toBe("paid");
      expect(await servers[1]?.pay({ ...order, amount: "0.000001" })).toBe("daily_limit");
    }
    const pending = (await rowsOf()).filter(({ status }) => status === "pending");
    const ends = await settled(...pending.map(({ operationId }) => operationId));
    expect(new Set([...ends, "confirmed"])).toEqual(new Set(["confirmed"]));
  });
  const [first = 0n, ...rest] = await spentByDay();
  expect(first).toBeLessThanOrEqual(LIMIT);
  expect(rest).toEqual([LIMIT, LIMIT]);
  expect((await agent.openBudget()).limit).toBe(FUNDS - first - 2n * LIMIT);
}, 600_000);
