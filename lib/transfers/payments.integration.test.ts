import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { runWorker } from "@/lib/jobs/run-worker";
import { type LocalServices, startLocalServices } from "@/scripts/testing/local-services";
import { Owner, settled } from "@/scripts/testing/owner";
import { createTransfer } from "./create-transfer";

const CHAIN = 46630;
let services: LocalServices;
const stop = new AbortController();
let worker: Promise<void>;

beforeAll(async () => {
  services = await startLocalServices();
  worker = runWorker(stop.signal);
});

afterAll(async () => {
  stop.abort();
  await worker;
  await services.stop();
});

describe("a plain payment", () => {
  test("becomes confirmed, and its recipient alone opens the amount", async () => {
    const t0 = Date.now();
    const [payer, recipient] = [await Owner.funded(CHAIN, 1_000_000_000n), await Owner.create(CHAIN)];
    await settled(await recipient.enroll());
    console.log("funded", Date.now() - t0);
    const key = await payer.key();
    const t1 = Date.now();
    const { row } = await createTransfer(key, {
      to: `@${recipient.account.handle}`,
      amount: "25",
      asset: "USDG",
      confidential: true,
    });
    console.log("paid", Date.now() - t1);
    expect(row.status).toBe("pending");
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    console.log("settled", Date.now() - t1);
    expect((await recipient.openNotes()).map(({ amount }) => amount)).toEqual([25_000_000n]);
    expect((await payer.openBudget()).limit).toBe(975_000_000n);
    const told = await db().select().from(events).where(eq(events.accountId, recipient.account.id));
    expect(told.map(({ type }) => type)).toEqual(["transfer.initiated", "transfer.confirmed"]);
    const [kept] = await db().select().from(transfers).where(eq(transfers.id, row.id));
    expect(kept?.status).toBe("confirmed");
  });
});
