import { expect, test } from "vitest";
import { agentsShortOfFunds } from "./agents-short-of-funds";

const payment = (agent: string, asset: string, amount?: string, available?: string) => {
  return { entry: { agent, asset }, check: { amount, available } };
};

test("an agent without enough is named once, with each asset of which it has too little", () => {
  expect(
    agentsShortOfFunds([
      payment("@ada/bot", "USDG", "6", "10"),
      payment("@ada/bot", "ETH", "0.6", "1"),
      payment("@ada/bot", "USDG", "6", "10"),
      payment("@ada/bot", "ETH", "0.6", "1"),
      payment("@ada/rich", "USDG", "6", "100"),
    ]),
  ).toEqual([{ agent: "@ada/bot", assets: ["USDG", "ETH"] }]);
});

test("what is not known yet makes no one short", () => {
  expect(agentsShortOfFunds([payment("@ada/bot", "USDG", "6"), payment("@ada/bot", "USDG", "6")])).toEqual([]);
  expect(agentsShortOfFunds([payment("@ada/bot", "USDG", undefined, "1")])).toEqual([]);
  expect(agentsShortOfFunds([{ entry: { agent: "@ada/bot", asset: "USDG" }, check: undefined }])).toEqual([]);
  // The first row is not opened yet, the others are too much already.
  expect(agentsShortOfFunds([payment("@ada/bot", "USDG"), payment("@ada/bot", "USDG", "6", "5")])).toHaveLength(1);
});
