import { expect, test } from "vitest";
import { writtenTime } from "@/components/ui/time";
import { byDay } from "./by-day";

const at = (created_at: string) => ({ created_at });
const NEWEST_FIRST = [at("2026-11-25T01:30:00Z"), at("2026-11-24T23:30:00Z"), at("2026-11-24T11:00:00Z")];
const now = new Date("2026-11-25T12:00:00Z");

test("transfers stand under the days of their reader's zone, each once and in the list's order", () => {
  const shownIn = (zone: string) =>
    byDay(NEWEST_FIRST, (date) => writtenTime(date, "weekday", zone, "en-GB", now)).map(({ name, transfers }) => [
      name,
      transfers.length,
    ]);
  expect(shownIn("UTC")).toEqual([
    ["Wednesday 25 Nov", 1],
    ["Tuesday 24 Nov", 2],
  ]);
  expect(shownIn("America/New_York")).toEqual([["Tuesday 24 Nov", 3]]);
  expect(shownIn("Asia/Tokyo")).toEqual([
    ["Wednesday 25 Nov", 2],
    ["Tuesday 24 Nov", 1],
  ]);
  expect(byDay([], String)).toEqual([]);
  const order = byDay(NEWEST_FIRST, (date) => String(date.getUTCDate())).flatMap(({ transfers }) => transfers);
  expect(order).toEqual(NEWEST_FIRST);
});
