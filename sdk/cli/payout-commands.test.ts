import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ServiceUnreachable } from "../api/errors";
import type { Halcyon } from "../client";
import { payFile } from "./payout-commands";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "payout-"));
});
afterAll(() => rm(folder, { recursive: true }));

const FAULTS = [
  { row: null, param: "rows", code: "insufficient_balance", message: "You lack 5 USDG." },
  { row: 1, param: "to", code: "not_found", message: "No such name." },
];
const found = async () => ({ faults: FAULTS });

/** Pays a file. Returns the error's message, and whether a payout was created. */
async function refusal(text: string, options: { yes?: true; idempotencyKey?: string }, check = found) {
  const file = path.join(folder, "wages.csv");
  await writeFile(file, text);
  const payouts = { check, create: vi.fn() };
  const { message } = await payFile({ payouts } as unknown as Halcyon, file, options, () => {}).catch((error) => error);
  return { message, created: payouts.create.mock.calls.length > 0 };
}

test("a payout that is refused names every fault at once, and says that nothing was paid by it", async () => {
  expect(await refusal("to,amount\n@ada,5\n@bob,1", { yes: true })).toEqual({
    message: ["2 errors:", "line 2, to: No such name.", "You lack 5 USDG.", "This command paid nothing."].join("\n"),
    created: false,
  });
});

test("while an amount has two meanings, nothing is said of the total", async () => {
  expect(await refusal("to;amount\n@ada;5\n@bob;1.234", { yes: true })).toEqual({
    message: [
      "2 errors:",
      "line 2, to: No such name.",
      "line 3, amount: This could be 1234 or 1.234. Write 1234 or 1.2340.",
      "This command paid nothing.",
    ].join("\n"),
    created: false,
  });
});

test("an amount with two meanings is refused also where the service can't be reached to check the rest", async () => {
  const offline = () => Promise.reject(new ServiceUnreachable("No service responds."));
  const { message, created } = await refusal("to;amount\n@bob;1.234", { yes: true }, offline);
  expect(message.split("\n").slice(0, 2)).toEqual([
    "1 error:",
    "line 2, amount: This could be 1234 or 1.234. Write 1234 or 1.2340.",
  ]);
  expect(created).toBe(false);
  expect((await refusal("to,amount\n@bob,1.234", { yes: true }, offline)).message).toBe("No service responds.");
});

test("an amount with two meanings is refused also where a payout is continued, which is not checked again", async () => {
  expect(await refusal("to;amount\n@bob;1.234", { yes: true, idempotencyKey: "wages-2026-11" })).toEqual({
    message: [
      "1 error:",
      "line 2, amount: This could be 1234 or 1.234. Write 1234 or 1.2340.",
      "This command paid nothing.",
    ].join("\n"),
    created: false,
  });
});

test("one payment is asked about in the singular", async () => {
  const none = async () => ({ faults: [] as typeof FAULTS });
  const asked = async (text: string) => (await refusal(text, {}, none)).message;
  expect(await asked("to,amount\n@ada,5")).toContain("1 payment, in total 5 USDG");
  expect(await asked("to,amount\n@ada,5\n@bob,1")).toContain("2 payments, in total 6 USDG");
});
