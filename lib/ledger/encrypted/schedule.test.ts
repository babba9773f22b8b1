import { expect, test } from "vitest";
import { DecryptionFailed } from "../crypto/errors";
import { runMarks } from "../crypto/run-marks";
import { decryptSchedule, encryptSchedule, type ScheduleRef } from "./schedule";

const SCOPE = { chainId: 46_630, ledger: `0x${"11".repeat(20)}`, domainSalt: `0x${"22".repeat(32)}` } as const;
const ACCOUNT = `0x${"33".repeat(20)}` as const;
const SECRET = new Uint8Array(32).fill(7);
const REF: ScheduleRef = { scope: SCOPE, account: ACCOUNT, id: "sch_01KADJ2C9B3T6Y0V8ZQ4N5M7WX", version: 3 };

test("an encrypted schedule opens as the version it is, of its account, and as nothing else", () => {
  const encrypted = encryptSchedule(SECRET, REF, "rent: 1200 to @bob");
  expect(decryptSchedule(SECRET, REF, encrypted)).toBe("rent: 1200 to @bob");
  const others: Partial<ScheduleRef>[] = [
    { version: 2 },
    { version: 4 },
    { id: "sch_01KADJ2C9B3T6Y0V8ZQ4N5M7WY" },
    { account: `0x${"34".repeat(20)}` },
    { scope: { ...SCOPE, chainId: 4_663 } },
    { scope: { ...SCOPE, ledger: ACCOUNT } },
  ];
  for (const other of others)
    expect(() => decryptSchedule(SECRET, { ...REF, ...other }, encrypted)).toThrow(DecryptionFailed);
  expect(() => decryptSchedule(new Uint8Array(32), REF, encrypted)).toThrow(DecryptionFailed);
  for (const at of [0, 40, encrypted.length - 1]) {
    const changed = encrypted.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => decryptSchedule(SECRET, REF, changed)).toThrow(DecryptionFailed);
  }
});

test("its length grows in steps, so that it hardly shows how many recipients there are", () => {
  const length = (text: string) => encryptSchedule(SECRET, REF, text).length;
  expect(length("x")).toBe(length("x".repeat(2_000)));
  expect(() => encryptSchedule(SECRET, REF, "x".repeat(50_000))).toThrow("too long");
});

test("a run has one seed for every runner, and another on each date and in each schedule", () => {
  const run = { scope: SCOPE, account: ACCOUNT, schedule: REF.id, date: "2026-12-01" };
  const { seed, tag } = runMarks(SECRET, run);
  expect(runMarks(SECRET, { ...run, account: ACCOUNT.toUpperCase().replace("0X", "0x") as typeof ACCOUNT })).toEqual({
    seed,
    tag,
  });
  const others = [
    runMarks(SECRET, { ...run, date: "2026-12-02" }),
    runMarks(SECRET, { ...run, schedule: "sch_01KADJ2C9B3T6Y0V8ZQ4N5M7WY" }),
    runMarks(SECRET, { ...run, account: `0x${"34".repeat(20)}` }),
    runMarks(new Uint8Array(32), run),
  ];
  for (const other of others) {
    expect(other.seed).not.toEqual(seed);
    expect(other.tag).not.toEqual(tag);
  }
});
