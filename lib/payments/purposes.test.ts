import { describe, expect, test } from "vitest";
import type { Tx } from "@/db/client";
import type { ContextAccount, RelayContext } from "@/lib/base/context/context";
import type { DetailsToClaim } from "./claim-details";
import type { PurposeRow } from "./purpose";
import { claimAfter, claimBefore, PURPOSES, recordPurposes, reopenPurposes, settlePurposes } from "./purposes";

/** Asking it fails the test. */
const NO_DATABASE = {} as Tx;
const CTX = { chainId: 46630 } as RelayContext;
const PAYER = { id: "acct_1", type: "personal" } as unknown as ContextAccount;
const PAYMENT = { payer: PAYER, recipient: "0x1", asset: "0x2", confidential: true } as const;

/** Details that name each purpose. */
const NAMES: Record<string, DetailsToClaim> = {
  refundOf: { refund: { transferId: "tr_1", address: "0x1", to: "@bob", binding: new Uint8Array(32) } },
  paymentRequestId: { paymentRequest: "payreq_1" },
  payoutId: { payoutId: "po_1" },
  scheduleRunId: { scheduleRun: { id: "run_1", late: true } },
};

const row = (more: Partial<PurposeRow> = {}): PurposeRow => ({
  id: "tr_2",
  chainId: 46630,
  payerId: "acct_1",
  note: "0x03",
  batchIndex: null,
  status: "confirmed",
  clientSigned: false,
  refundOf: null,
  paymentRequestId: null,
  payoutId: null,
  scheduleRunId: null,
  ...more,
});

test("each purpose has a column of its own, and its own details name it and nothing else", () => {
  expect(PURPOSES.map(({ column }) => column).sort()).toEqual(Object.keys(NAMES).sort());
  for (const [column, details] of Object.entries(NAMES)) {
    const naming = PURPOSES.filter(({ named }) => named(details) !== undefined);
    expect(naming.map((purpose) => purpose.column)).toEqual([column]);
  }
  expect(PURPOSES.filter(({ named }) => named({ reference: "order-1" }) !== undefined)).toEqual([]);
});

test("a payment that is for several things is refused before any of them is locked", async () => {
  for (const [one, ofOne] of Object.entries(NAMES)) {
    for (const [other, ofOther] of Object.entries(NAMES)) {
      if (one === other) continue;
      const refused = claimAfter(NO_DATABASE, CTX, PAYMENT, { ...ofOne, ...ofOther });
      await expect(refused, `${one} ${other}`).rejects.toMatchObject({ code: "invalid_request" });
    }
  }
});

describe("a payment that is for nothing", () => {
  const details = [undefined, {}, { reference: "order-1" }];

  test("claims nothing", async () => {
    await claimBefore(NO_DATABASE, CTX, PAYER, details);
    expect(await claimAfter(NO_DATABASE, CTX, PAYMENT, {})).toEqual({
      refundOf: null,
      paymentRequestId: null,
      payoutId: null,
      scheduleRunId: null,
    });
  });

  test.each(["confirmed", "failed", "pending"] as const)("asks the database nothing when it is %s", async (status) => {
    const now = new Date();
    await (await recordPurposes(NO_DATABASE, [row({ status })], now))();
    await settlePurposes(NO_DATABASE, [row({ status })], now);
    await reopenPurposes(NO_DATABASE, [row({ status })]);
  });
});

test("no agent pays a run of a schedule, whichever way it comes", async () => {
  const agent = { ...PAYER, type: "agent" as const };
  const refused = claimBefore(NO_DATABASE, CTX, agent, [NAMES.scheduleRunId]);
  await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "schedule_run" });
});
