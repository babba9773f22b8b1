import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatePresets } from "./date-presets";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-30T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

const hrefs = (filters: object) => {
  const markup = renderToStaticMarkup(<DatePresets path="/test/transfers" filters={filters} />);
  const links = [...markup.matchAll(/href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
  return Object.fromEntries(links.map(([, href = "", name = ""]) => [name, href.replaceAll("&amp;", "&")]));
};

test("a period is one press, keeps the other filters, and the same press ends it", () => {
  expect(hrefs({ status: "failed" })["Last month"]).toBe("/test/transfers?status=failed&from=2026-10-01&to=2026-10-31");
  const chosen = { status: "failed", from: "2026-10-01", to: "2026-10-31" };
  expect(hrefs(chosen)["Last month"]).toBe("/test/transfers?status=failed");
  expect(hrefs(chosen)["This year"]).toBe("/test/transfers?status=failed&from=2026-01-01&to=2026-12-31");
});
