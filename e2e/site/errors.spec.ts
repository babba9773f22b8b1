import { expect, test } from "../api/fixtures";

test("doc_url of an error leads to the page about its code", async ({ page, request }) => {
  const reply = await request.get("/v1/accounts/me");
  const { error } = await reply.json();
  expect(reply.status()).toBe(401);
  const response = await page.goto(error.doc_url);
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("unauthorized");
});

test("a link to a code's section of the list, as doc_url was before, still leads there", async ({ page }) => {
  await page.goto("/docs/errors#unauthorized");
  await expect(page.locator("section#unauthorized")).toBeVisible();
  await expect(page.locator(":target h2")).toHaveText("unauthorized");
});
