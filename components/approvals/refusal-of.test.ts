import { expect, test } from "vitest";
import { HalcyonError } from "@/sdk/api/errors";
import { PinMismatch } from "@/sdk/api/pin-mismatch";
import type { FoundRecipient } from "@/sdk/payments/recipient";
import { refusalOf } from "./refusal-of";

const ASKED = "0x00000000000000000000000000000000000000b0";
const ELSEWHERE = "0x00000000000000000000000000000000000000e0";
const FOUND: FoundRecipient = { address: ASKED, ready: true, own: null, pin: "first" };

const refusal = (
  change: {
    amount?: string | null;
    found?: Partial<FoundRecipient>;
    error?: Error;
    status?: "active" | "paused" | "ended";
    payer?: string;
    available?: string;
    confidential?: boolean;
  } = {},
) =>
  refusalOf({
    entry: {
      to: "@bob",
      asset: "USDG",
      agent: change.payer ?? "@alice/bot",
      confidential: change.confidential ?? true,
    },
    content: { amount: change.amount === undefined ? "12.5" : change.amount, memo: null, recipient: ASKED },
    agent: { status: change.status ?? "active" },
    recipient: { data: change.error ? undefined : { ...FOUND, ...change.found }, error: change.error ?? null },
    available: change.available,
  });

test("nothing stands in the way of a payment that opens, to the address that was asked for, with the available balance for it", () => {
  expect(refusal()).toBeNull();
  expect(refusal({ available: "12.5" })).toBeNull();
  expect(refusal({ found: { address: ASKED.toUpperCase().replace("0X", "0x") as `0x${string}` } })).toBeNull();
});

test("a name that leads elsewhere than the agent asked, or than this device paid before, is a danger", () => {
  expect(refusal({ found: { address: ELSEWHERE } })).toMatchObject({
    title: "@bob now leads to another address.",
    agent: false,
  });
  expect(refusal({ error: new PinMismatch("@bob now has another address than at the first payment.") })).toMatchObject({
    title: "@bob is not the same account as before.",
    remedy: "@bob now has another address than at the first payment.",
    agent: false,
  });
  expect(refusal({ error: new HalcyonError("recipient_not_found", "none") })?.title).toContain("No account is called");
  expect(refusal({ error: new HalcyonError("unavailable", "later") })?.remedy).toBe("later");
});

test("what can't be decrypted is refused whatever else is right", () => {
  expect(refusal({ amount: null, found: { address: ELSEWHERE } })?.title).toContain("be decrypted");
});

test("who cannot receive in private is refused, but for a public payment", () => {
  expect(refusal({ found: { ready: false } })?.title).toContain("privately");
  expect(refusal({ found: { ready: false }, confidential: false })).toBeNull();
});

test("a paused agent and an available balance that is a unit short have their remedy with the agent", () => {
  expect(refusal({ status: "paused" })).toMatchObject({ agent: true });
  expect(refusal({ available: "12.499999" })).toMatchObject({ agent: true });
});

test("a payment of an agent that has ended can only be rejected", () => {
  expect(refusal({ status: "ended" })?.remedy).toContain("Reject it");
});

test("what a key of the account itself asked for has its remedy with the account's own balance", () => {
  expect(refusal({ payer: "@alice", available: "12.499999" })).toMatchObject({
    title: "Your available balance does not cover this.",
    agent: false,
  });
});
