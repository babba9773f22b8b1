import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import type { KeyContext } from "@/lib/base/context/context";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { runWorker } from "@/lib/worker/run-worker";
import { Owner } from "@/test/accounts/owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { failingRecipient } from "./failing-recipient";

const CHAIN = 46630;
let services: LocalServices;
let key: KeyContext;
let payer: Owner;
const stop = new AbortController();
let worker: Promise<void>;

beforeAll(async () => {
  services = await startLocalServices();
  worker = runWorker(stop.signal);
  payer = await Owner.funded(CHAIN, 10_000_000n);
  key = await payer.key();
  const failing = await Owner.funded(CHAIN, 1_000_000n);
  // As the local stack names it.
  await db().update(accounts).set({ handle: "fails.test" }).where(eq(accounts.id, failing.account.id));
});

afterAll(async () => {
  stop.abort();
  await worker;
  await services?.stop();
});

test.each([true, false])(
  "a payment to the failing recipient fails on the chain, and money stays (%s)",
  async (confidential) => {
    const { to } = await failingRecipient(key);
    const { limit } = await payer.decryptAvailable();
    const { row } = paidTransfer(await createTransfer(key, { to, amount: "1", asset: "USDG", confidential }));
    const status = async () => (await db().select().from(transfers).where(eq(transfers.id, row.id)))[0]?.status;
    await expect.poll(status, { timeout: 60_000 }).toBe("failed");
    expect((await payer.decryptAvailable()).limit).toBe(limit);
    const list = await db().select().from(events).where(eq(events.accountId, payer.account.id));
    const types = list.flatMap(({ type, payload }) => (payload.transfer_id === row.id ? [type] : []));
    expect(types.sort()).toEqual(["transfer.failed", "transfer.initiated"]);
  },
);
