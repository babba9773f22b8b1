import { describe, expect, it } from "vitest";
import { actToSign, factsToSign, signingFor } from "./signing-for";

const said = (method: string, input: object) =>
  actToSign(method, input).facts.map(({ name, value }) => `${name}: ${value}`);

describe("a signature's dialog", () => {
  it("states amount, asset, from and to of what was confirmed", () => {
    expect(said("send", { to: "@demo", amount: "1.5", asset: "USDG" })).toEqual([
      "Amount: 1.5 USDG",
      "From: Your available balance",
      "To: @demo",
    ]);
    expect(said("send", { from: "@ada/bot", to: "@ada", amount: "0.1", asset: "ETH" })).toEqual([
      "Amount: 0.1 ETH",
      "From: Available balance of @ada/bot",
      "To: @ada",
    ]);
    expect(said("withdraw", { to: "0xabc", amount: "2" })).toEqual([
      "Amount: 2 USDG",
      "From: Your available balance",
      "To: 0xabc",
    ]);
    expect(said("deposit", { amount: "100", asset: "USDG" })).toEqual([
      "Amount: 100 USDG",
      "From: Your wallet",
      "To: Your deposited balance",
    ]);
    expect(said("allocate", { amount: "25" })).toEqual([
      "Amount: 25 USDG",
      "From: Received and deposited money",
      "To: Your available balance",
    ]);
    expect(said("allocate", { budget: "40", agent: "@ada/bot" })).toEqual([
      "Available balance of @ada/bot: 40 USDG afterwards",
    ]);
  });

  it("says nothing of an act that another signature is for, nor of one that has ended", async () => {
    const act = actToSign("deposit", { amount: "100" });
    await signingFor(act, async () => {
      expect(factsToSign("ReceiveWithAuthorization")).toBe(act.facts);
      expect(factsToSign(null)).toBe(act.facts);
      expect(factsToSign("SetPolicy")).toEqual([]);
      expect(factsToSign("Transfer")).toEqual([]);
    });
    expect(factsToSign("ReceiveWithAuthorization")).toEqual([]);
    await expect(signingFor(act, () => Promise.reject(new Error("declined")))).rejects.toThrow("declined");
    expect(factsToSign("ReceiveWithAuthorization")).toEqual([]);
  });
});
