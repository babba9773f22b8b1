import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EarningsCard } from "./earnings-card";

const REPORT = { method: "GET", resource: "https://shop.example/report", asset: "USDG", payments: 2, amount: "0.1" };
const SHOUT = { ...REPORT, method: "POST", resource: "https://shop.example/shout", payments: 1, amount: "0.05" };

const shown = (unconfirmed: number, resources = [REPORT, SHOUT]) =>
  renderToStaticMarkup(<EarningsCard earnings={{ resources, unconfirmed }} />);
const text = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("a seller reads what each resource has earned", () => {
  const rows =
    shown(0)
      .match(/<tr[^>]*>.*?<\/tr>/g)
      ?.map(text) ?? [];
  expect(rows.slice(-2)).toEqual([
    expect.stringMatching(/GET https:\/\/shop\.example\/report .*2 .*\+ ?0\.10 USDG/),
    expect.stringMatching(/POST https:\/\/shop\.example\/shout .*1 .*\+ ?0\.05 USDG/),
  ]);
  expect(text(shown(0))).not.toContain("left out");
});

test("payments that name what they did not pay for are said to be left out", () => {
  expect(text(shown(1))).toContain("1 payment is left out");
  expect(text(shown(2, []))).toContain("2 payments are left out");
});
