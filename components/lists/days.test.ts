import { describe, expect, it } from "vitest";
import { hrefOf } from "@/components/lists/search-params";
import { momentsOf, readDays, unknownZone } from "./days";

const HOUR_MS = 3_600_000;
const lengthOf = (filters: { from: string; to: string; zone?: string }) => {
  const { from = "", to = "" } = momentsOf(filters);
  // Strict bounds: the first one is a millisecond before the day.
  return (Date.parse(to) - Date.parse(from) - 1) / HOUR_MS;
};

describe("the days a list is narrowed to", () => {
  it("are those of the zone that the address names, whole", () => {
    const filters = { from: "2026-11-21", to: "2026-11-22", zone: "Asia/Tokyo" };
    const { searchParams } = new URL(hrefOf("/test/events", filters), "https://pay.example");
    expect(readDays(Object.fromEntries(searchParams))).toEqual(filters);
    expect(momentsOf(filters)).toEqual({ from: "2026-11-20T14:59:59.999Z", to: "2026-11-22T15:00:00.000Z" });
  });

  it("are as long as they are there, also where clocks change", () => {
    const day = (date: string, zone?: string) => ({ from: date, to: date, zone });
    expect(lengthOf(day("2026-10-25", "Europe/Berlin"))).toBe(25);
    expect(lengthOf(day("2026-03-29", "Europe/Berlin"))).toBe(23);
    expect(lengthOf(day("2026-03-29"))).toBe(24);
  });

  it("are UTC's for a zone that does not exist, and name none without a day", () => {
    expect(readDays({ from: "2026-11-21", zone: "Mars/Olympus" })).toEqual({ from: "2026-11-21" });
    expect(readDays({ from: "2026-11-21", zone: "UTC" })).toEqual({ from: "2026-11-21" });
    expect(readDays({ from: "2026-02-31", zone: "Asia/Tokyo" })).toEqual({});
  });

  it("say which zone the service does not know", () => {
    const unknown = (search: string) => {
      const params = new URLSearchParams(search);
      return unknownZone(params, readDays(Object.fromEntries(params)));
    };
    expect(unknown("from=2026-11-21&zone=Mars/Olympus")).toBe("Mars/Olympus");
    expect(unknown("from=2026-11-21&zone=Asia/Tokyo")).toBe(null);
    expect(unknown("from=2026-11-21&zone=UTC")).toBe(null);
    expect(unknown("from=2026-11-21")).toBe(null);
    expect(unknown("zone=Mars/Olympus")).toBe(null);
  });

  it("can be the last ones that a date field takes", () => {
    for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Honolulu"]) {
      const { from = "", to = "" } = momentsOf({ from: "9999-12-31", to: "9999-12-31", zone });
      expect(from).toMatch(/^9999-12-3/);
      expect(to).toMatch(/^9999-12-31/);
      expect(Date.parse(to)).toBeGreaterThan(Date.parse(from));
    }
  });
});
