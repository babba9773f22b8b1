import { expect, test } from "vitest";
import { recentOf } from "./recent-recipients";

test("known recipients are those one paid, each once, the newest first", () => {
  const sent = (to: string) => ({ to, direction: "sent" });
  const transfers = [sent("@lin"), { to: "@me", direction: "received" }, sent("@marcus"), sent("@lin"), sent("@noor")];
  expect(recentOf(transfers)).toEqual(["@lin", "@marcus", "@noor"]);
  expect(recentOf(transfers, 2)).toEqual(["@lin", "@marcus"]);
  expect(recentOf([])).toEqual([]);
});
