import { expect, test } from "vitest";
import { approvalToSign } from "./approval-to-sign";

const HELD = { agent: "@ada", asset: "USDG", to: "@lin", confidential: true } as const;
const said = (...asked: Parameters<typeof approvalToSign>) =>
  approvalToSign(...asked).facts.map(({ name, value }) => `${name}: ${value}`);

test("a payment beyond the limits of the account's own keys is signed with amount, asset, from and to in sight", () => {
  expect(said(HELD, { amount: "12.5" })).toEqual(["Amount: 12.50 USDG", "From: Your available balance", "To: @lin"]);
  expect(approvalToSign(HELD, { amount: "12.5" }).types).toContain("Spend");
});

test("an agent's is said to be from its balance, a public one is of the public struct, and what was not decrypted is not said", () => {
  expect(said({ ...HELD, agent: "@ada/bot" }, { amount: "3" })).toContain("From: Available balance of @ada/bot");
  expect(approvalToSign({ ...HELD, confidential: false }, { amount: "3" }).types).toContain("SpendPublic");
  expect(said(HELD, undefined)).toEqual(["From: Your available balance", "To: @lin"]);
  expect(said(HELD, { amount: null })).toEqual(["From: Your available balance", "To: @lin"]);
});
