import { expect, test } from "vitest";
import { KeptBytes } from "./kept-bytes";

const bytes = (length: number) => Buffer.alloc(length);

test("what is asked for at the same time, or again, is made once, and all get the same bytes", async () => {
  const kept = new KeptBytes(10);
  let times = 0;
  const make = async () => {
    times += 1;
    return bytes(4);
  };
  const [one, two] = await Promise.all([kept.get("a", make), kept.get("a", make)]);
  expect(one).toBe(two);
  expect(await kept.get("a", make)).toBe(one);
  expect(times).toBe(1);
});

test("beyond its size it forgets what was asked for the longest ago, and keeps nothing that is larger", async () => {
  const kept = new KeptBytes(10);
  const first = await kept.get("a", async () => bytes(4));
  await kept.get("b", async () => bytes(4));
  await kept.get("a", async () => bytes(4));
  await kept.get("c", async () => bytes(4));
  expect(await kept.get("a", async () => bytes(4))).toBe(first);
  const again = bytes(4);
  expect(await kept.get("b", async () => again)).toBe(again);
  await kept.get("large", async () => bytes(11));
  const large = bytes(11);
  expect(await kept.get("large", async () => large)).toBe(large);
  expect(await kept.get("b", async () => bytes(4))).toBe(again);
});

test("what could not be made, and what does not exist, is asked for again", async () => {
  const kept = new KeptBytes(10);
  const fails = kept.get("a", async () => Promise.reject(new Error("away")));
  await expect(fails).rejects.toThrow("away");
  expect(await kept.get("a", async () => undefined)).toBeUndefined();
  expect(await kept.get("a", async () => bytes(1))).toHaveLength(1);
});
