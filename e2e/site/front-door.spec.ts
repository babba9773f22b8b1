import { expect, test } from "../api/fixtures";
import { installedBrowsers } from "../chromium";

test("search engines find every public page, and no account's page", async ({ request }) => {
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
  const response = await page.request.get(image.pathname);
  expect([response.status(), response.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect(await content("og:site_name")).toBe("Halcyon");
});

test("a page names its one address and its Markdown, and the site has its icons", async ({ page, request }) => {
  await page.goto("/docs/balances?from=search");
  const link = (rel: string) => page.locator(`link[rel="${rel}"]`);
  expect(new URL((await link("canonical").getAttribute("href")) ?? "").pathname).toBe("/docs/balances");
  expect(new URL((await link("canonical").getAttribute("href")) ?? "").search).toBe("");
  expect(await page.locator('link[type="text/markdown"]').getAttribute("href")).toMatch(/\/docs\/balances\.md$/);
  expect(await page.locator('meta[property="og:title"]').getAttribute("content")).toBe("Balances");
  for (const [path, type] of [
    ["/favicon.ico", "image/x-icon"],
    ["/icon.svg", "image/svg+xml"],
    ["/apple-icon.png", "image/png"],
  ] as const) {
    const icon = await request.get(path);
    expect([icon.status(), icon.headers()["content-type"]], path).toEqual([200, type]);
  }
});

test("a phone can put the site on its home screen, where iOS gives it push messages", async ({ page, request }) => {
  await page.goto("/sign-in");
  const address = (await page.locator('link[rel="manifest"]').getAttribute("href")) ?? "";
  const manifest = await (await request.get(address)).json();
  expect(manifest).toMatchObject({ name: "Halcyon", display: "standalone" });
  const files = [manifest.start_url, ...manifest.icons.map(({ src }: { src: string }) => src)];
  for (const file of files) expect((await request.get(file)).status(), file).toBe(200);
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

test("the API's description can be loaded by editors on other sites, and nothing else can", async ({ request }) => {
  const headers = { origin: "https://editor.example" };
  const described = await request.get("/openapi.json", { headers });
  expect(described.headers()["access-control-allow-origin"]).toBe("*");
  expect(described.headers()["access-control-allow-credentials"]).toBeUndefined();
  const { servers } = (await described.json()) as { servers: { url: string }[] };
  expect(servers.map(({ url }) => new URL(url).origin)).toEqual([new URL(described.url()).origin]);
  const again = await request.get("/openapi.json", { headers: { "if-none-match": described.headers().etag ?? "" } });
  expect(again.status()).toBe(304);
  for (const path of ["/v1/accounts/me", "/api/network?network=test", "/", "/third-party-notices.txt"]) {
    expect((await request.get(path, { headers })).headers()["access-control-allow-origin"]).toBeUndefined();
  }
});

test("the notices of what browsers load are served, and the workers' scripts name them", async ({ request }) => {
  const notices = await request.get("/third-party-notices.txt");
  expect([notices.status(), notices.headers()["content-type"]]).toEqual([200, expect.stringContaining("text/plain")]);
  expect(await notices.text()).toContain("@noble/curves");
  expect(await notices.text()).not.toContain("wasmcurves");
  expect(await (await request.get("/prover/worker.js")).text()).toContain("/third-party-notices.txt");
});
