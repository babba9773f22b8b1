import type { Address } from "viem";
import { expect, test } from "vitest";
import { toHex } from "@/lib/ledger/crypto/bytes";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { encryptSchedule } from "@/lib/ledger/encrypted/schedule";
import { writeTerms } from "@/lib/policy/calendar/document";
import { checkRule } from "@/lib/policy/calendar/rule";
import { ServiceUnreachable } from "@/sdk/api/errors";
import type { Schedule } from "@/sdk/api/resources/schedules";
import type { Context } from "@/sdk/context/context";
import { decryptSchedules } from "./schedules";

const account = `0x${"a1".repeat(20)}` as Address;
const scope = { chainId: 1, ledger: `0x${"b2".repeat(20)}`, domainSalt: `0x${"00".repeat(32)}` } as Scope;
const secret = new Uint8Array(32).fill(7);
const lost = new ServiceUnreachable("lost");

const terms = {
  name: "Rent",
  automatic: false,
  window: 86_400,
  skipped: [],
  parts: [
    {
      rule: checkRule({ frequency: "monthly", start: "2150-01-31", time: "09:00", time_zone: "UTC" }),
      asset: "USDG",
      payments: [{ to: "@lin", address: `0x${"c3".repeat(20)}` as Address, amount: "1200" }],
      from: "2150-01-31",
      seed: `0x${"d4".repeat(32)}` as const,
    },
  ],
};

function schedule(id: string, under = secret): Schedule {
  const encrypted = toHex(encryptSchedule(under, { scope, account, id, version: 1 }, writeTerms(terms)));
  const listed = {
    schedule_id: id,
    version: 1,
    status: "active",
    next_run: null,
    due_runs: [],
    encrypted: { ciphertext: encrypted },
  };
  return listed as unknown as Schedule;
}

/** An account with these schedules whose service responds to reads only, and whose keys may not be reachable. */
function accountWith(schedules: Schedule[], keys: () => Promise<unknown> = async () => ({ secret })): Context {
  const call = async (method: string) => {
    if (method !== "GET") throw lost;
    return { schedules, has_more: false };
  };
  const pins = { checkScheduleVersion: async () => {} };
  const parts = { hasWallet: true, wallet: { address: account }, pins, vault: keys, scope: async () => scope };
  return { ...parts, session: async () => ({ call }) } as unknown as Context;
}

test("a schedule is shown although the service did not take its next date", async () => {
  const shown = await decryptSchedules(accountWith([schedule("sch_a")]));
  expect(shown.sch_a?.parts[0]?.payments[0]).toMatchObject({ to: "@lin", amount: "1200" });
});

test("only a schedule whose own ciphertext is to blame counts as one that can't be decrypted", async () => {
  const shown = await decryptSchedules(
    accountWith([
      schedule("sch_a"),
      schedule(
        "sch_b",
        secret.map((byte) => byte + 1),
      ),
    ]),
  );
  expect([shown.sch_a?.name, shown.sch_b]).toEqual(["Rent", null]);
});

test("a lost connection is an error and says about no schedule that it can't be decrypted", async () => {
  await expect(decryptSchedules(accountWith([schedule("sch_a")], () => Promise.reject(lost)))).rejects.toBe(lost);
});

test("a finished schedule whose text is deleted is not one that can't be decrypted", async () => {
  const emptied = { ...schedule("sch_b"), status: "finished", encrypted: { ciphertext: "0x" } } as unknown as Schedule;
  const shown = await decryptSchedules(accountWith([schedule("sch_a"), emptied]));
  expect(Object.keys(shown)).toEqual(["sch_a"]);
});
