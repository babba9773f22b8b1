import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type ListTotal, Pagination } from "./pagination";

function shown(offset: number, total: ListTotal, limit = 20) {
  const count = Math.min(limit, total.count - offset);
  const markup = renderToStaticMarkup(
    <Pagination
      path="/test/transfers"
      query={{ status: "failed" }}
      limit={limit}
      offset={offset}
      hasMore={total.more || offset + count < total.count}
      count={count}
      total={total}
      sizes={[20, 50, 100]}
    />,
  );
  const links = [...markup.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = "", inside = ""]) => [
    inside.replace(/<[^>]*>/g, ""),
    href.replaceAll("&amp;", "&"),
  ]);
  return { text: markup.replace(/<[^>]*>/g, ""), links: Object.fromEntries(links) as Record<string, string> };
}

test("a page of a long list says how many there are, and one press leads to the oldest of 10,000", () => {
  const { text, links } = shown(0, { count: 10_000, more: false });
  expect(text).toContain("1–20 of 10,000");
  expect(links.Oldest).toBe("/test/transfers?status=failed&offset=9980");
  expect(shown(9_980, { count: 10_000, more: false }).links).toMatchObject({
    Newest: "/test/transfers?status=failed",
    Newer: "/test/transfers?status=failed&offset=9960",
  });
});

test("a count that stopped early is not given for the total", () => {
  const { text, links } = shown(40, { count: 10_000, more: true });
  expect(text).toContain("41–60 of 10,000+");
  expect(links["To 10,000"]).toBe("/test/transfers?status=failed&offset=9980");
});

test("more can stand on a page, and a list that fits the smallest has no pages", () => {
  expect(shown(0, { count: 45, more: false }).links).toMatchObject({
    "50": "/test/transfers?status=failed&rows=50",
    "20": "/test/transfers?status=failed",
  });
  expect(shown(0, { count: 45, more: false }, 50).text).toContain("1–45 of 45");
  expect(shown(0, { count: 20, more: false }).text).toBe("");
});
