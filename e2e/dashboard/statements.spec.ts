import { expectAnnounced } from "../announcements";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

test("a statement adds up, a view of it opens for a stranger until it is deleted, and a proof of funds shows the round sum alone", async ({
  page,
  browser,
  configDir,
  playwright,
}) => {
  const owner = await newOwner("books", configDir, { available: "193.669207" });
  await owner.client.transfers.create({ to: "@demo", amount: "20.25", reference: "INV-7", clientSigned: true });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/statements");
  await unlock(page);
  await page.getByRole("button", { name: "Create statement" }).click();
  await expect(page.getByText("Adds up with the chain")).toBeVisible();
  await expect(page.getByRole("table", { name: "Movements" })).toContainText("INV-7");
  await expect(page.getByText("173.419207").first()).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "statement");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "PDF" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^statement-books.*\.pdf$/);

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share with an accountant" });
  await dialog.getByLabel("Name").fill("Accountant");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByText("The chain confirms each of these 2 payments.")).toBeVisible();
  await expectAccessible(stranger);
  await shot(stranger, "shared-payments");
  await page.getByRole("button", { name: "Delete Accountant" }).click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await expectAnnounced(page, "View deleted");
  await stranger.reload();
  await expect(stranger.getByText("This link shows nothing.")).toBeVisible();
  await stranger.context().close();

  // A proof of funds shows a verifier the round sum alone, and everything in it before it is made.
  const main = page.getByRole("navigation", { name: "Dashboard" });
  await main.getByRole("link", { name: "Balances", exact: true }).click();
  await page.getByRole("link", { name: "Prove funds" }).click();
  const form = page.getByRole("dialog", { name: "Prove funds" });
  await form.getByLabel("At least").selectOption("100");
  await form.getByLabel("Verifier's name").fill("North Bank");
  await form.getByLabel("Purpose").fill("Lease of Harbor St 5");
  await form.getByRole("button", { name: "Continue" }).click();
  const review = page.getByRole("dialog", { name: "Check what will be proved" });
  for (const said of ["100.00 USDG", "North Bank", "Lease of Harbor St 5", "Random"]) {
    await expect(review).toContainText(said);
  }
  await expectAccessible(page);
  await shotOfState(page, "proof-of-funds-review");
  await review.getByRole("button", { name: "Create proof" }).click();
  const proof = await page.getByLabel("Proof link").inputValue();

  const context = await browser.newContext();
  const verifier = await context.newPage();
  const asked: string[] = [];
  verifier.on("request", (request) => asked.push(`${request.url()} ${request.postData() ?? ""}`));
  await verifier.goto(proof);
  const proven = verifier.getByRole("region", { name: "Verified proof of funds" });
  await expect(proven).toContainText("100.00 USDG");
  await expect(proven).toContainText("Still true");
  await expect(proven).toContainText("North Bank");
  await expectAccessible(verifier);
  await shot(verifier, "proof-of-funds");
  // Neither exactly nor rounded. Three digits alone occur in random hex.
  expect(await verifier.content()).not.toMatch(/173[.,]?419|(?<![\d.,])173(?:[.,]\d| USDG)/);
  // The proof stays in the browser: no request contains it.
  const text = proof.split("#")[1] ?? "";
  for (const each of asked.map((one) => one.replace(/#.*$/, ""))) expect(each).not.toContain(text.slice(-40));

  const at = 150;
  const other = text[at] === "A" ? "B" : "A";
  await verifier.getByLabel("Check another proof").fill(text.slice(0, at) + other + text.slice(at + 1));
  await verifier.getByRole("button", { name: "Check proof" }).click();
  await expect(verifier.getByText("This proof proves nothing.")).toBeVisible();
  await context.close();

  // The same verifier asks for more, so the owner has to agree again.
  await expect(owner.client.proofsOfFunds.create({ atLeast: "500", for: "north bank" })).rejects.toMatchObject({
    param: "again",
  });
});
