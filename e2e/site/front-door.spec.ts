import { expect, test } from "../api/fixtures";
import { installedBrowsers } from "../chromium";

test("search engines are told of every public page, and of none of an account's", async ({ request }) => {
  const robots = await (await request.get("/robots.txt")).text();
  expect(robots).toContain("Allow: /docs");
  expect(robots).toMatch(/^Disallow: \/$/m);
  const sitemap = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? "";
  const xml = await (await request.get(new URL(sitemap).pathname)).text();
  const pages = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, page = ""]) => new URL(page));
  expect(pages.length).toBeGreaterThan(30);
  for (const { origin, pathname } of pages) {
    expect(origin).toBe(new URL(sitemap).origin);
    expect(pathname).toMatch(/^\/$|^\/docs/);
  }
  expect(pages.map(({ pathname }) => pathname)).toContain("/docs/errors/policy_violation");
});

test("a link that is shared shows what it leads to: title, sentence and a picture that is there", async ({ page }) => {
  await page.goto("/docs/quick-start");
  const content = (property: string) => page.locator(`meta[property="${property}"]`).getAttribute("content");
  const image = new URL((await content("og:image")) ?? "");
  const answer = await page.request.get(image.pathname);
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect(await content("og:site_name")).toBe("Halcyon");
});

test("on macOS and Windows a browser that is installed is found", () => {
  expect(installedBrowsers("darwin", { HOME: "/Users/ada" })).toContain(
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  );
  expect(installedBrowsers("win32", { PROGRAMFILES: "C:\\Program Files" })).toContain(
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  );
  expect(installedBrowsers("win32", { CHROME_PATH: "C:\\chrome.exe" })[0]).toBe("C:\\chrome.exe");
});
