import { expect, test } from "vitest";
import * as catalogue from "@/lib/base/scheduler/catalogue";
import { NOTIFICATION_WORK, TIMED_WORK } from "./timed-work";

const declared = Object.values(catalogue).map(({ name }) => name);

test("every job that is declared is done, and nothing else", () => {
  expect([...TIMED_WORK, ...NOTIFICATION_WORK].map(({ name }) => name).sort()).toEqual([...declared].sort());
});

test("no two jobs have one name, and each has an end", () => {
  expect(new Set(declared).size).toBe(declared.length);
  for (const { timeoutMs, retry } of Object.values(catalogue)) {
    expect(timeoutMs).toBeGreaterThan(0);
    expect(retry.longestMs).toBeGreaterThanOrEqual(retry.firstMs);
  }
});
