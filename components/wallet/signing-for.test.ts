import { describe, expect, it } from "vitest";
import type { SignatureRequest } from "./signature-request";
import {
  actBeingSigned as actOf,
  actToSign,
  purposeIn,
  type SignedContracts,
  signingEach,
  signingFor,
} from "./signing-for";

const LEDGER = `0x${"Aa".repeat(20)}` as const;
const TOKEN = `0x${"bb".repeat(20)}` as const;
const NETWORK = { chain_id: 46630, ledger: LEDGER, assets: [{ address: TOKEN }] } as unknown as SignedContracts;

const typed = (primaryType: string, verifyingContract?: string, chainId = 46630): SignatureRequest => ({
  kind: "typed-data",
  data: {
    domain: {
      name: "Halcyon",
      chainId,
      ...(verifyingContract && { verifyingContract: verifyingContract as `0x${string}` }),
    },
    types: {},
    primaryType,
    message: {},
  },
});
const transaction = (to: `0x${string}`, chainId = 46630): SignatureRequest => ({
  kind: "transaction",
  call: { to, value: 1n },
  chainId,
});

/** Returns the act that a signature of this struct is for; null: of a transaction. */
const actBeingSigned = (type: string | null) =>
  actOf(
    type === null ? transaction(LEDGER) : typed(type, type === "ReceiveWithAuthorization" ? TOKEN : LEDGER),
    NETWORK,
  );

const said = (method: string, input: object) =>
  actToSign(method, input).facts.map(({ name, value }) => `${name}: ${value}`);

describe("a signature's dialog", () => {
  it("states amount, asset, from and to of what was confirmed", () => {
    expect(said("send", { to: "@demo", amount: "1500.5", asset: "USDG" })).toEqual([
      "Amount: 1,500.50 USDG",
      "From: Your available balance",
      "To: @demo",
    ]);
    expect(said("send", { from: "@ada/bot", to: "@ada", amount: "0.1", asset: "ETH" })).toEqual([
      "Amount: 0.10 ETH",
      "From: Available balance of @ada/bot",
      "To: @ada",
    ]);
    expect(said("withdraw", { to: "0xabc", amount: "2" })).toEqual([
      "Amount: 2.00 USDG",
      "From: Your available balance",
      "To: 0xabc",
    ]);
    expect(said("withdraw", { agent: "@ada/bot", to: "0xabc", amount: "2" })[1]).toBe(
      "From: Available balance of @ada/bot",
    );
    expect(said("refund", { agent: "@ada/bot", to: "@lin", amount: "2" })[1]).toBe(
      "From: Available balance of @ada/bot",
    );
    expect(said("deposit", { amount: "100", asset: "USDG" })).toEqual([
      "Amount: 100.00 USDG",
      "From: Your wallet",
      "To: Your deposited balance",
    ]);
    expect(said("makeAvailable", { amount: "25" })).toEqual([
      "Amount: 25.00 USDG",
      "From: Not yet available",
      "To: Your available balance",
    ]);
    const move = { kind: "more", by: "15", signatures: 1 } as const;
    expect(said("makeAvailable", { available: "40", agent: "@ada/bot", move })).toEqual([
      "Amount: 15.00 USDG",
      "From: What @ada/bot received",
      "To: Available balance of @ada/bot",
      "Available afterwards: 40.00 USDG",
    ]);
    expect(said("makeAvailable", { available: "40", move: { ...move, signatures: 2 } })[0]).toBe(
      "Amount: 15.00 USDG in 2 transactions",
    );
    expect(said("makeAvailable", { available: "0", move: { ...move, kind: "less" } })).toEqual([
      "Amount: 15.00 USDG",
      "From: Your available balance",
      "To: Not yet available",
      "Available afterwards: 0.00 USDG",
    ]);
    // Continued after a lost response, when the change is no longer known.
    expect(said("makeAvailable", { available: "40" })).toEqual([
      "Of: Your available balance",
      "Available afterwards: 40.00 USDG",
    ]);
  });

  it("states the latest of several acts, and nothing once they have ended", async () => {
    const [first, second] = [actToSign("send", { amount: "1" }), actToSign("send", { amount: "2" })];
    await signingEach(async (next) => {
      expect(actBeingSigned("TransferMany")).toBeNull();
      for (const act of [first, second]) {
        next(act);
        expect(actBeingSigned("TransferMany")).toBe(act);
      }
    });
    expect(actBeingSigned("TransferMany")).toBeNull();
  });

  it("says nothing of an act that another signature is for, nor of one that has ended", async () => {
    const act = actToSign("deposit", { amount: "100" });
    await signingFor(act, async () => {
      expect(actBeingSigned("ReceiveWithAuthorization")).toBe(act);
      expect(actBeingSigned(null)).toBe(act);
      expect(actBeingSigned("SetPolicy")).toBeNull();
      expect(actBeingSigned("Transfer")).toBeNull();
    });
    expect(actBeingSigned("ReceiveWithAuthorization")).toBeNull();
    await expect(signingFor(act, () => Promise.reject(new Error("declined")))).rejects.toThrow("declined");
    expect(actBeingSigned("ReceiveWithAuthorization")).toBeNull();
  });

  it("says nothing of a struct that has the same name and is not this network's, or of another contract", async () => {
    const act = actToSign("deposit", { amount: "100" });
    await signingFor(act, async () => {
      expect(actOf(typed("ReceiveWithAuthorization", TOKEN.toUpperCase().replace("0X", "0x")), NETWORK)).toBe(act);
      expect(actOf(transaction(TOKEN), NETWORK)).toBe(act);
      const others = [
        typed("ReceiveWithAuthorization", LEDGER),
        typed("ReceiveWithAuthorization"),
        typed("ReceiveWithAuthorization", TOKEN, 4663),
        transaction(`0x${"cc".repeat(20)}`),
        transaction(LEDGER, 4663),
        { kind: "message", message: "Transfer" } as const,
      ];
      for (const other of others) expect(actOf(other, NETWORK)).toBeNull();
    });
    await signingFor(actToSign("send", { amount: "1" }), async () => {
      expect(actOf(typed("Transfer", LEDGER), NETWORK)).not.toBeNull();
      for (const other of [typed("Transfer", TOKEN), typed("Transfer", LEDGER, 1), typed("Transfer")]) {
        expect(actOf(other, NETWORK)).toBeNull();
      }
    });
  });

  it("says of each struct what it does in an act that signs several", () => {
    const [one, other] = [
      { title: "One", sentence: "One." },
      { title: "Other", sentence: "Other." },
    ];
    const act = {
      types: ["SetPaymentKey", "MakeAvailable"],
      facts: [],
      purpose: other,
      purposes: { MakeAvailable: one },
    };
    expect(purposeIn(act, typed("MakeAvailable"))).toBe(one);
    expect(purposeIn(act, typed("SetPaymentKey"))).toBe(other);
    expect(purposeIn(null, typed("MakeAvailable"))).toBeUndefined();
  });
});
