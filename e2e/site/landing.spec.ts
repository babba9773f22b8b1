import { expect, test } from "../api/fixtures";
import { complaintsOf, layoutShift, loaded, scriptKilobytes } from "../dashboard/checks";
import BUDGET from "../dashboard/script-budget.json" with { type: "json" };

for (const [name, viewport] of [
  ["phone", { width: 375, height: 740 }],
  ["desktop", { width: 1280, height: 900 }],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`the landing page on a ${name}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      test("says what Halcyon is, within its policy and without sideways scrolling", async ({ page }) => {
        const complaints = complaintsOf(page);
        await page.goto("/");
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByText("Confidential, not anonymous")).toBeVisible();
        // These are the product's own components, not images.
        await expect(
          page.getByText("64.50 USDG is above 40.00 USDG, the most this agent pays without asking."),
        ).toBeVisible();
        await expect(page.getByText("Enforced by the chain").first()).toBeVisible();
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await loaded(page);
        expect(complaints).toEqual([]);
      });
    });
  }
}

test("every link of the landing page leads somewhere, and its example holds no amount that a webhook would not", async ({
  page,
}) => {
  await page.goto("/");
  const paths = await page
    .getByRole("link")
    .evaluateAll((links) => [...new Set(links.map((link) => (link as HTMLAnchorElement).pathname))]);
  expect(paths).toEqual(
    expect.arrayContaining(["/terms", "/system-status", "/docs/changelog", "/docs/security-model"]),
  );
  for (const path of paths) expect((await page.request.get(path)).status(), path).toBe(200);
  await expect(page.locator("pre", { hasText: "transfer.confirmed" })).not.toContainText("amount");
  await page.goto("/system-status");
  await expect(page.getByText("Payments of the test network match the chain")).toBeVisible();
});

test("no page outside the dashboard loads more scripts than it did, and nothing moves on one that checks", async ({
  page,
}) => {
  for (const [path, budget] of Object.entries(BUDGET["landing.spec.ts"])) {
    await page.goto(path);
    await loaded(page);
    const kilobytes = await scriptKilobytes(page);
    expect(kilobytes, path).toBeGreaterThan(50);
    expect(kilobytes, path).toBeLessThanOrEqual(budget);
  }
  expect(page.url()).toMatch(/\/receipt$/);
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.01);
});

test("an unknown page says so, within its policy", async ({ page }) => {
  const blocked: string[] = [];
  page.on("console", (message) => /Content Security Policy/.test(message.text()) && blocked.push(message.text()));
  const response = await page.goto("/nothing-here");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(blocked).toEqual([]);
});
