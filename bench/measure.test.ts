import { expect, test } from "vitest";
import { closedLoop, median, quantile } from "./measure";

test("quantiles are values of the sample, by nearest rank", () => {
  const sample = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(median(sample)).toBe(50);
  expect(quantile(sample, 0.99)).toBe(99);
  expect(() => quantile([], 0.5)).toThrow();
});

test("a closed loop makes exactly the calls it was asked for", async () => {
  const calls = [0, 0, 0];
  const measured = await closedLoop(3, 50, async (worker) => {
    calls[worker] = (calls[worker] ?? 0) + 1;
  });
  expect(calls.reduce((a, b) => a + b)).toBe(50);
  expect(measured.count).toBe(50);
});

test("a failing call ends the measurement instead of being counted", async () => {
  await expect(closedLoop(1, 3, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
});
