import type { APIRequestContext } from "@playwright/test";
import { expectAnnounced, recordAnnouncements } from "../announcements";
import { expect, test } from "../api/fixtures";
import { complaintsOf, expectAccessible, loaded } from "../dashboard/checks";
import { holdScripts, pressEarly } from "../dashboard/early";

interface Visited {
  status: number;
  html: string;
}

/** Visits every page that can be reached from /docs without leaving it. Returns them by path. */
async function crawl(request: APIRequestContext): Promise<Map<string, Visited>> {
  const pages = new Map<string, Visited>();
  const waiting = ["/docs"];
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 4).filter((path) => !pages.has(path));
    await Promise.all(
      batch.map(async (path) => {
        const reply = await request.get(path);
        const html = (reply.headers()["content-type"] ?? "").includes("html") ? await reply.text() : "";
        pages.set(path, { status: reply.status(), html });
        if (!path.startsWith("/docs")) return;
        waiting.push(
          ...linksOf(html)
            .map((link) => pathOf(link, path))
            .filter((target) => !pages.has(target)),
        );
      }),
    );
  }
  return pages;
}

/** Returns the targets of links to this site and anchors. lib/http/docs/links.test.ts reads the pages' Markdown versions. */
const linksOf = (html: string) =>
  [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href]) => href ?? "").filter((href) => /^[/#]/.test(href));
const pathOf = (link: string, page: string) => link.split("#")[0] || page;
const idsOf = (html: string) => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));

test("every page of /docs exists, and every link and anchor in it leads somewhere", async ({ request }) => {
  const pages = await crawl(request);
  expect([...pages].filter(([, { status }]) => status !== 200).map(([path]) => path)).toEqual([]);
  const docs = [...pages].filter(([path]) => path.startsWith("/docs"));
  expect(docs.length).toBeGreaterThan(45);
  for (const [path, { html }] of docs) {
    for (const link of linksOf(html).filter((one) => one.includes("#"))) {
      const target = pages.get(pathOf(link, path));
      const anchor = decodeURIComponent(link.split("#")[1] ?? "");
      expect(idsOf(target?.html ?? "").has(anchor), `${link} on ${path}`).toBe(true);
    }
    if (html) {
      expect(html.match(/<h1\b/g), `headings of ${path}`).toHaveLength(1);
      expect(html, `styles in the markup of ${path}`).not.toMatch(/<[^>]+\sstyle="/);
    }
  }
});

test("every operation, event and error code of the document has its place in the reference", async ({ request }) => {
  const document = await (await request.get("/openapi.json")).json();
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const operations = Object.values(
    document.paths as Record<string, Record<string, { operationId: string; tags: string[] }>>,
  )
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, tags: [tag = ""] }) => ({
      page: `/docs/api/${tag.toLowerCase().replace(" ", "-")}`,
      id: kebab(operationId),
    }));
  for (const page of new Set(operations.map((one) => one.page))) {
    const ids = idsOf(await (await request.get(page)).text());
    for (const { id } of operations.filter((one) => one.page === page)) expect(ids.has(id), `${page}#${id}`).toBe(true);
  }
  const types = idsOf(await (await request.get("/docs/api/event-types")).text());
  for (const type of Object.keys(document.webhooks)) expect(types.has(type), type).toBe(true);
  const errors = await Promise.all(
    Object.entries(document["x-errors"] as Record<string, { doc_url: string }>).map(async ([code, { doc_url }]) => {
      const page = await request.get(doc_url);
      return [code, page.status(), (await page.text()).includes(`>${code}</h1>`)];
    }),
  );
  expect(errors.filter(([, status, named]) => status !== 200 || !named)).toEqual([]);
});

/** By default, axe leaves out the rules of WCAG 2.2. */
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const LOOKED_AT = [
  "",
  "/quick-start",
  "/going-live",
  "/webhooks",
  "/no-such-page",
  "/api/transfers",
  "/api/event-types",
  "/errors/policy_violation",
].map((path) => `/docs${path}`);

test.describe("on a phone, then on a desktop", () => {
  const [phone, desktop] = [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ];
  test.use({ viewport: phone });

  test("the documentation is accessible in both themes, keeps to its policy and does not scroll sideways", async ({
    page,
  }) => {
    const complaints = complaintsOf(page);
    for (const path of LOOKED_AT) {
      await page.setViewportSize(phone);
      await page.goto(path);
      await loaded(page);
      for (const viewport of [phone, desktop]) {
        await page.setViewportSize(viewport);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${path} at ${viewport.width}`).toBeLessThanOrEqual(0);
        await expectAccessible(page, WCAG);
      }
    }
    // The browser itself reports that the page does not exist.
    expect(complaints).toEqual([expect.stringMatching(/status of 404 \(Not Found\) .*\/docs\/no-such-page$/)]);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test("the documentation is read, its menu opens and the language of its samples is switched", async ({ page }) => {
    await page.goto("/docs/api/transfers");
    const sample = page.locator("#create-transfer").locator("xpath=ancestor::section").locator("figure").first();
    await expect(sample.locator('pre[data-language="bash"]')).toBeVisible();
    await sample.getByText("Python", { exact: true }).click();
    await expect(sample.locator('pre[data-language="python"]')).toBeVisible();
    await expect(sample.locator('pre[data-language="bash"]')).toBeHidden();
    await expect(page.getByRole("button", { name: "Copy" })).toHaveCount(0);
    await page.getByText("Menu", { exact: true }).click();
    await page.getByRole("link", { name: "Quick start" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quick start");
  });
});

test("the language chosen once is kept for every page and visit", async ({ page }) => {
  const kept = () => page.evaluate(() => localStorage.getItem("halcyon-docs-language"));
  const choose = (name: string) => page.getByRole("main").getByText(name, { exact: true }).first().click();
  // Chosen before the page's scripts have run: it works without them.
  const arrive = await holdScripts(page);
  await page.goto("/docs/quick-start", { waitUntil: "commit" });
  await choose("Python");
  await arrive();
  await expect.poll(kept).toBe("python");
  await page.goto("/docs/api/accounts");
  await expect(page.locator('pre[data-language="python"]').first()).toBeVisible();
  await expect(page.locator('pre[data-language="bash"]').first()).toBeHidden();
  await choose("TypeScript");
  await expect.poll(kept).toBe("ts");
  // Another one, before the page's scripts have run: the newer choice wins over the kept one.
  const again = await holdScripts(page);
  await page.goto("/docs/quick-start", { waitUntil: "commit" });
  await choose("Python");
  await again();
  await expect.poll(kept).toBe("python");
  await expect(page.locator('pre[data-language="python"]').first()).toBeVisible();
});

test("search that was asked for before the page's scripts have run opens once they have", async ({ page }) => {
  const button = page.getByRole("button", { name: "Search the documentation" });
  for (const ask of [
    () => page.keyboard.press("/"),
    () => page.keyboard.press("ControlOrMeta+k"),
    () => pressEarly(button),
  ]) {
    const arrive = await holdScripts(page);
    await page.goto("/docs", { waitUntil: "commit" });
    await expect(button).toBeVisible();
    await ask();
    await arrive();
    await expect(page.getByRole("combobox", { name: "Search the documentation" })).toBeFocused();
  }
});

test("search is opened by key, finds fields, errors and guides, and leads there", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto("/docs");
  await page.keyboard.press("/");
  const box = page.getByRole("combobox", { name: "Search the documentation" });
  await expect(box).toBeFocused();
  for (const [query, found] of [
    ["policy_violation", "policy_violation"],
    ["active hours", "Change a spend policy"],
    ["depositt", "deposit"],
  ] as const) {
    await box.fill(query);
    await expect(page.getByRole("option").filter({ hasText: found }).first()).toBeVisible();
  }
  await box.fill("how do I cancel a transfer");
  await expect(page.getByRole("option").first().locator("mark").first()).toHaveText("Cancel");
  await expectAccessible(page, WCAG);
  await box.fill("policy_violation");
  await expect(page.getByRole("option").first()).toContainText("policy_violation");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors\/policy_violation$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("policy_violation");
  expect(complaints).toEqual([]);
});

test("in the search's results the arrows move the page along: the chosen one is always seen", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/docs");
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search the documentation" }).fill("transfer");
  const options = page.getByRole("option");
  await expect(options).toHaveCount(12);
  const list = page.getByRole("listbox", { name: "Results" });
  for (let n = 1; n < 12; n++) {
    await page.keyboard.press("ArrowDown");
    const chosen = page.locator('[role="option"][data-highlighted]');
    await expect(chosen).toHaveText((await options.nth(n).textContent()) ?? "");
    await expect
      .poll(async () => {
        const [box, room] = [await chosen.boundingBox(), await list.boundingBox()];
        return box && room && box.y >= room.y - 1 && box.y + box.height <= room.y + room.height + 1;
      })
      .toBe(true);
  }
});

test("an address below /docs without a page says so, with the menu and search of every page", async ({ page }) => {
  for (const path of ["/docs/no-such-page", "/docs/a/b/c", "/docs/api/nothing", "/docs/errors/nothing"]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page).toHaveTitle("Page not found · Halcyon docs");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page.getByRole("navigation", { name: "Documentation" }).getByRole("link").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Search the documentation" })).toBeVisible();
  }
});

test("every page is Markdown as well, and llms.txt lists it", async ({ request }) => {
  const list = await request.get("/llms.txt");
  expect(list.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  const links = [...(await list.text()).matchAll(/\]\((\S+\.md)\)/g)].map(([, link = ""]) => new URL(link).pathname);
  expect(links.length).toBeGreaterThan(45);
  for (const path of [...links, "/docs.md", "/docs/errors/policy_violation.md", "/llms-full.txt"]) {
    const page = await request.get(path);
    expect(page.status(), path).toBe(200);
    expect(await page.text(), path).toMatch(/^# \S/);
  }
  const page = await request.get("/docs/api/transfers.md");
  expect(page.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(page.headers().link).toMatch(/\/docs\/api\/transfers>; rel="canonical"/);
  expect((await request.get("/docs/nothing.md")).status()).toBe(404);
});

test("the outline marks the section that is read", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/docs/send-payments#cancel-a-payment");
  const outline = page.getByRole("navigation", { name: "On this page" });
  await expect(outline.locator("[aria-current]")).toHaveText("Cancel a payment");
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(outline.locator("[aria-current]")).toHaveCount(0);
});

test("a sample is copied as it is shown", async ({ page, context }) => {
  await recordAnnouncements(context);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/quick-start");
  const sample = page.locator("figure").filter({ hasText: "wallet new" });
  await sample.getByRole("button", { name: "Copy" }).click();
  await expectAnnounced(page, "Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe("./halcyon wallet new\n./halcyon signup --handle ada");
});
