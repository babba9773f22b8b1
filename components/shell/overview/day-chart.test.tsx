import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DayChart } from "./day-chart";

test("the chart of days has an axis with values, a bar for each day with money, and the same figures as a table", () => {
  const days = ["2026-11-28", "2026-11-29", "2026-11-30"];
  const markup = renderToStaticMarkup(
    <DayChart days={days} asset="USDG" flows={{ paidIn: [0, 0, 12], paidOut: [1830.5, 0, 7] }} />,
  );
  const text = markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  expect(text).toMatch(/3 days In 12\.00 USDG Out 1,837\.50 USDG 2K 1K 0 /);
  expect(markup.match(/<path /g)).toHaveLength(3);
  expect(markup.match(/<tr>/g)).toHaveLength(3);
  expect(text).toMatch(/In and out by day, in USDG .* 1,830\.50/);
});
