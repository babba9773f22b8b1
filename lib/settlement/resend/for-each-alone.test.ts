import { afterEach, expect, test, vi } from "vitest";
import { log } from "@/lib/base/telemetry/log";
import { forEachAlone } from "./for-each-alone";

afterEach(() => {
  vi.restoreAllMocks();
});

const about = (item: string) => ({ item });

/** Fails for the items that are in upper case. */
const failing = (done: string[]) => async (item: string) => {
  if (item !== item.toLowerCase()) throw new Error(item);
  done.push(item);
};

test("every item has its turn, every failure is logged with its item, and the first one is thrown", async () => {
  const warn = vi.spyOn(log(), "warn").mockReturnValue();
  const done: string[] = [];
  const work = forEachAlone(["A", "b", "C", "d"], async () => {}, about, failing(done));
  await expect(work).rejects.toThrow("A");
  expect(done).toEqual(["b", "d"]);
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    { item: "A", err: new Error("A") },
    { item: "C", err: new Error("C") },
  ]);
});

test("no item has its turn once the work may not go on", async () => {
  vi.spyOn(log(), "warn").mockReturnValue();
  const done: string[] = [];
  const mayGoOn = async () => {
    if (done.length === 2) throw new Error("lost");
  };
  await expect(forEachAlone(["a", "B", "c", "d"], mayGoOn, about, failing(done))).rejects.toThrow("lost");
  expect(done).toEqual(["a", "c"]);
});
