import { expect, test, vi } from "vitest";

const lookedUp: string[] = [];
vi.mock("@/lib/accounts/keys/announce-exposed", () => ({
  announceExposed: async (key: string) => {
    lookedUp.push(key);
  },
}));

test("of many texts that look like home keys eight are looked up, one after the other, and the rest dropped", async () => {
  // Another file may have loaded it.
  vi.resetModules();
  const { notifyOfHomeKeys } = await import("./notify-of-home-keys");
  const many = Array.from({ length: 100 }, (_, i) => `key ${i}`);
  notifyOfHomeKeys(many);
  notifyOfHomeKeys(many);
  expect(lookedUp).toEqual(["key 0"]);
  await expect.poll(() => lookedUp.length, { timeout: 20_000 }).toBe(9);
  notifyOfHomeKeys(["a later one"]);
  await expect.poll(() => lookedUp.at(-1), { timeout: 20_000 }).toBe("a later one");
  expect(lookedUp).toEqual([...many.slice(0, 8), "key 0", "a later one"]);
});
