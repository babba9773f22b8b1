import { expect, test } from "vitest";
import { groupsOf } from "./groups-of";

test("each agent and recipient is named once, and no payment is lost", () => {
  const payments = [
    { agent: "@ada/bot", to: "@lin", id: 1 },
    { agent: "@ada/bot", to: "@eve", id: 2 },
    { agent: "@ada/bot", to: "@lin", id: 3 },
    { agent: "@ada/shop", to: "@lin", id: 4 },
  ];
  expect(groupsOf(payments).map(({ agent, to, payments }) => [agent, to, payments.map(({ id }) => id)])).toEqual([
    ["@ada/bot", "@lin", [1, 3]],
    ["@ada/bot", "@eve", [2]],
    ["@ada/shop", "@lin", [4]],
  ]);
});
