import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limit, list, onOrOff, policyFields } from "./policy-options";

test("limits are numbers as they were written; what would be sent as another number is refused", () => {
  expect(["0", "100", "12.5", "0.000001", "999999999.999999", "-1"].map(limit)).toEqual([
    0, 100, 12.5, 0.000001, 999_999_999.999999, -1,
  ]);
  for (const text of ["", "1e3", "0x10", "1.0000001", "1,5", " 1", "NaN", "12345678901"]) {
    expect(() => limit(text), text).toThrow();
  }
});

test("names are separated by commas; an empty text is no one", () => {
  expect(list("@bob, *.shop.test")).toEqual(["@bob", "*.shop.test"]);
  expect(list("")).toEqual([]);
});

test("public payments are on or off, and sent only where they are named", async () => {
  expect([onOrOff("on"), onOrOff("off")]).toEqual([true, false]);
  for (const text of ["", "true", "ON", "1"]) expect(() => onOrOff(text), text).toThrow();
  expect(await policyFields({ publicPayments: false })).toEqual({ public_payments: false });
});

test("options go before the file's fields, and only what is given is sent", async () => {
  expect(await policyFields({})).toBeUndefined();
  expect(await policyFields({ dailyLimit: 0, recipients: [] })).toEqual({
    daily_limit_usdg: 0,
    allowed_recipients: [],
  });
  const folder = await mkdtemp(join(tmpdir(), "halcyon-policy-"));
  try {
    const file = join(folder, "policy.json");
    await writeFile(file, JSON.stringify({ daily_limit_usdg: 100, active_hours: "09:00-18:00" }));
    expect(await policyFields({ policy: file, dailyLimit: 50 })).toEqual({
      daily_limit_usdg: 50,
      active_hours: "09:00-18:00",
    });
    const printed = {
      policy_id: "pol_1",
      daily_limit_usdg: 7,
      updated_at: "2026",
      in_force: "yes",
      ledger: {},
      operation: null,
    };
    await writeFile(file, JSON.stringify(printed));
    expect(await policyFields({ file })).toEqual({ daily_limit_usdg: 7 });
    await writeFile(file, "{");
    await expect(policyFields({ file })).rejects.toMatchObject({ code: "invalid_policy" });
    await expect(policyFields({ file: join(folder, "none") })).rejects.toMatchObject({ code: "invalid_request" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
