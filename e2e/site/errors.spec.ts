import { expect, test } from "@playwright/test";

test("doc_url of an error leads to the section about its code", async ({ page, request }) => {
  const answer = await request.get("/v1/accounts/me");
  const { error } = await answer.json();
  expect(answer.status()).toBe(401);
  await page.goto(error.doc_url);
  await expect(page.locator(`section#${error.code}`)).toBeVisible();
  await expect(page.locator(":target h2")).toHaveText("unauthorized");
});
