import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showTimesInUtc, timesInUtc } from "@/components/ui/times-in-utc";
import { keepTimes, restoreTimes } from "./kept-times";

let notes: Map<string, string>;

beforeEach(() => {
  notes = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => notes.get(name) ?? null,
    setItem: (name: string, value: string) => notes.set(name, value),
    removeItem: (name: string) => notes.delete(name),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  showTimesInUtc(false);
});

test("times shown in UTC are shown so after a reload, until they are shown in the reader's zone again", () => {
  keepTimes(true);
  expect(timesInUtc()).toBe(true);
  // A new page begins with the reader's zone.
  showTimesInUtc(false);
  restoreTimes();
  expect(timesInUtc()).toBe(true);
  keepTimes(false);
  restoreTimes();
  expect(timesInUtc()).toBe(false);
  expect(notes.size).toBe(0);
});

test("a browser that stores nothing shows them in UTC until a reload", () => {
  vi.stubGlobal("localStorage", undefined);
  keepTimes(true);
  expect(timesInUtc()).toBe(true);
});
