import { zeroAddress } from "viem";
import { expect, test } from "vitest";
import { LEDGER_TYPES } from "@/lib/ledger/prepare/struct-types";
import { isRepeat, purposeOf } from "./purposes";

test("everything the ledger lets a wallet sign is explained before it is signed", () => {
  for (const primaryType of [
    ...Object.keys(LEDGER_TYPES),
    "Unlock",
    "ReceiveWithAuthorization",
    "ConnectApplication",
  ]) {
    const { sentence } = purposeOf({ kind: "typed-data", data: { domain: {}, types: {}, primaryType, message: {} } });
    expect(sentence.length).toBeGreaterThan(40);
  }
  const stranger = { domain: {}, types: {}, primaryType: "Permit", message: {} };
  expect(() => purposeOf({ kind: "typed-data", data: stranger })).toThrow("no sentence");
});

test("an unlock message signed to rotate the account secret does not create a key", () => {
  const data = { domain: {}, types: {}, primaryType: "Unlock", message: {} };
  const said = purposeOf({ kind: "typed-data", data }, { rotates: true });
  expect(said.title).toBe("Decrypt your key for the rotation");
});

test("only the second signature of the same text is asked for without a press", () => {
  const data = (primaryType: string) => ({ domain: {}, types: {}, primaryType, message: {} });
  const asked = { signature: { kind: "typed-data", data: data("Unlock") }, again: true, rotates: false } as const;
  expect(isRepeat(asked)).toBe(true);
  expect(isRepeat({ ...asked, again: false })).toBe(false);
  expect(isRepeat({ ...asked, rotates: true })).toBe(false);
  expect(isRepeat({ ...asked, signature: { ...asked.signature, reason: "encrypt-copy-again" } })).toBe(false);
  expect(isRepeat({ ...asked, signature: { kind: "typed-data", data: data("Enroll") } })).toBe(false);
  expect(isRepeat({ ...asked, signature: { kind: "message", message: "" } })).toBe(false);
});

test("a deposit states the amount that the wallet signs", () => {
  const data = { domain: {}, types: {}, primaryType: "ReceiveWithAuthorization", message: { value: 1_012_500_000n } };
  expect(purposeOf({ kind: "typed-data", data }).sentence).toContain("take 1,012.50 USDG from your wallet");
});

test("what is turned on, off, set or ended is called by what it does", () => {
  const owner = `0x${"0a".repeat(20)}` as const;
  const agent = `0x${"0b".repeat(20)}` as const;
  const titleOf = (primaryType: string, message: Record<string, unknown>) =>
    purposeOf({ kind: "typed-data", data: { domain: {}, types: {}, primaryType, message } }, { owner }).title;
  expect(titleOf("SetGuarded", { account: owner, guarded: true })).toBe("Turn Guard on");
  expect(titleOf("SetGuarded", { account: owner, guarded: false })).toBe("Turn Guard off");
  expect(titleOf("SetPolicy", { account: agent, limited: true })).toBe("Set the agent's policy");
  expect(titleOf("SetPolicy", { account: owner, limited: true })).toBe("Set the limits of your keys");
  expect(titleOf("SetPolicy", { account: owner, limited: false })).toBe("Remove the limits of your keys");
  expect(titleOf("SetPaymentKey", { paymentKey: zeroAddress })).toBe("Stop all signing");
  expect(titleOf("SetPaymentKey", { paymentKey: agent })).toBe("Renew the payment key");
  expect(titleOf("SetAgentSigner", { signers: [zeroAddress] })).toBe("End an agent");
  expect(titleOf("SetAgentSigner", { signers: [agent] })).toBe("Replace an agent's key");
});
