import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

const BUDGET = "173.419207";

test("a proof of funds shows a verifier the round sum alone, and everything in it before it is made", async ({
  page,
  browser,
  configDir,
  playwright,
}) => {
  const owner = await newOwner("funds", configDir, { budget: BUDGET });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  await page.getByRole("link", { name: "Prove funds" }).click();
  const form = page.getByRole("dialog", { name: "Prove funds" });
  await form.getByLabel("At least").selectOption("100");
  await form.getByLabel("Verifier's name").fill("North Bank");
  await form.getByLabel("Purpose").fill("Lease of Harbor St 5");
  await form.getByRole("button", { name: "Continue" }).click();
  const review = page.getByRole("dialog", { name: "Check what will be proved" });
  for (const said of ["100 USDG", "North Bank", "Lease of Harbor St 5", "Random"]) {
    await expect(review).toContainText(said);
  }
  await expectAccessible(page);
  await shotOfState(page, "proof-of-funds-review");
  await review.getByRole("button", { name: "Create proof" }).click();
  const link = await page.getByLabel("Proof link").inputValue();

  const context = await browser.newContext();
  const stranger = await context.newPage();
  const asked: string[] = [];
  stranger.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  await stranger.goto(link);
  const proven = stranger.getByRole("region", { name: "Verified proof of funds" });
  await expect(proven).toContainText("100 USDG");
  await expect(proven).toContainText("Still true");
  await expect(proven).toContainText("North Bank");
  await expectAccessible(stranger);
  await shot(stranger, "proof-of-funds");
  // Neither exactly nor rounded. Three digits alone occur in random hex.
  expect(await stranger.content()).not.toMatch(/173[.,]?419|(?<![\d.,])173(?:[.,]\d| USDG)/);
  // The proof stays in the browser: no request contains it.
  const text = link.split("#")[1] ?? "";
  for (const each of asked.map((one) => one.replace(/#.*$/, ""))) expect(each).not.toContain(text.slice(-40));

  const at = 150;
  const other = text[at] === "A" ? "B" : "A";
  await stranger.getByLabel("Check another proof").fill(text.slice(0, at) + other + text.slice(at + 1));
  await stranger.getByRole("button", { name: "Check proof" }).click();
  await expect(stranger.getByText("This proof proves nothing.")).toBeVisible();
  await context.close();

  // The same verifier asks for more, so the owner has to agree again.
  await expect(owner.client.proofsOfFunds.create({ atLeast: "500", for: "north bank" })).rejects.toMatchObject({
    param: "again",
  });
});
