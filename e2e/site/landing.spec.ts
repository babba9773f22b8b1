import { expect, test } from "../api/fixtures";

for (const [name, viewport] of [
  ["phone", { width: 375, height: 740 }],
  ["desktop", { width: 1280, height: 900 }],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`the landing page on a ${name}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      test("says what Halcyon is, within its policy and without sideways scrolling", async ({ page }) => {
        const complaints: string[] = [];
        page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
        page.on("pageerror", (error) => complaints.push(error.message));
        await page.goto("/");
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByText("Confidential, not anonymous")).toBeVisible();
        const picture = page.getByRole("img", { name: /dashboard/ });
        await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await page.waitForLoadState("networkidle");
        expect(complaints).toEqual([]);
      });
    });
  }
}

test("an unknown page says so, within its policy", async ({ page }) => {
  const blocked: string[] = [];
  page.on("console", (message) => /Content Security Policy/.test(message.text()) && blocked.push(message.text()));
  const response = await page.goto("/nothing-here");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(blocked).toEqual([]);
});
