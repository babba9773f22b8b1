import { expect, test } from "vitest";
import { oneByOne } from "./notify-of-home-keys";

test("of many texts that look like home keys eight are looked up, one after the other, and the rest dropped", async () => {
  const lookedUp: string[] = [];
  const notify = oneByOne(async (key) => {
    lookedUp.push(key);
  });
  const many = Array.from({ length: 100 }, (_, i) => `key ${i}`);
  notify(many);
  notify(many);
  expect(lookedUp).toEqual(["key 0"]);
  await expect.poll(() => lookedUp.length, { timeout: 20_000 }).toBe(9);
  notify(["a later one"]);
  await expect.poll(() => lookedUp.at(-1), { timeout: 20_000 }).toBe("a later one");
  expect(lookedUp).toEqual([...many.slice(0, 8), "key 0", "a later one"]);
});
