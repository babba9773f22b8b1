import type { Browser, Page, PlaywrightWorkerArgs, Route } from "@playwright/test";
import { type Asking, approveButton, decidedRow, dialogOf, linkOf, PAGE } from "./approvals-fixtures";
import { expectAccessible, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { productURL } from "./owner";

// One owner for all tests.
test.describe.configure({ mode: "default" });

/** Opens another browser of the same owner, with the payment open and one press before the decision. */
async function readyToApprove(
  browser: Browser,
  playwright: PlaywrightWorkerArgs["playwright"],
  { owner }: Asking,
  id: string,
): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signedIn(page, owner.walletKey, playwright);
  await page.goto(`${productURL}${PAGE}`);
  await unlock(page);
  await page.locator(linkOf(id)).click();
  await expect(approveButton(page)).toBeEnabled();
  return page;
}

test("two browsers approve at once: it is paid once, and each says so and who approved it", async ({
  browser,
  playwright,
  asking,
  other,
}) => {
  const id = await asking.hold({ to: other.handle, amount: "15" });
  const paid = await asking.paid();
  const held = async () => Math.round(1e6 * Number((await other.client.balances.decrypt()).total));
  const before = await held();
  const pages = [
    await readyToApprove(browser, playwright, asking, id),
    await readyToApprove(browser, playwright, asking, id),
  ];
  await Promise.all(pages.map((page) => approveButton(page).click()));
  const outcomes = await Promise.all(
    pages.map(async (page) => {
      const won = dialogOf(page).getByText("Final on chain.");
      const lost = dialogOf(page).getByText("This payment was already decided.");
      await expect(won.or(lost)).toBeVisible({ timeout: 180_000 });
      return (await won.isVisible()) ? "won" : "lost";
    }),
  );
  // Both browsers build the same payment. The second usually finds it already made; otherwise the faster one wins.
  expect(outcomes).toContain("won");
  const transfers = new Set<string | null>();
  for (const [index, page] of pages.entries()) {
    const dialog = dialogOf(page);
    if (outcomes[index] === "lost") await expect(dialog).toContainText("Approved by you, in another session");
    transfers.add(await dialog.getByRole("link", { name: "View transfer" }).getAttribute("href"));
  }
  // Both name the same transfer, and both histories say who decided.
  expect([...transfers]).toEqual([expect.stringContaining("/transfers/")]);
  const deciders = await Promise.all(
    pages.map(async (page) => {
      await page.keyboard.press("Escape");
      const row = decidedRow(page, id);
      await expect(row).toContainText("by you, in ");
      return /in (this|another) session/.exec((await row.textContent()) ?? "")?.[1];
    }),
  );
  expect([...deciders].sort()).toEqual(["another", "this"]);
  expect(await asking.paid()).toBe(paid + 1);
  expect(await held()).toBe(before + 15e6);
  for (const page of pages) await page.context().close();
});

test("a name that leads elsewhere than the agent asked is a danger and cannot be approved", async ({
  page,
  playwright,
  asking,
  other,
}) => {
  const id = await asking.hold({ to: other.handle, amount: "16" });
  const paid = await asking.paid();
  await signedIn(page, asking.owner.walletKey, playwright);
  const elsewhere = async (route: Route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), address: asking.owner.address } });
  };
  // The last request may be on its way when the page is closed.
  await page.context().route("**/api/accounts/resolve?*", (route) => elsewhere(route).catch(() => {}));
  await page.goto(PAGE);
  await unlock(page);
  await page.locator(linkOf(id)).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("alert")).toContainText(`${other.handle} now leads to another address.`);
  await expect(dialog.getByRole("button", { name: "Approve payment" })).toBeDisabled();
  await page.keyboard.press("a");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expect(approveButton(page)).toBeDisabled();
  await expectAccessible(page);
  await shotOfState(page, "approvals-danger");
  expect(await asking.statusOf(id)).toBe("pending_approval");
  expect(await asking.paid()).toBe(paid);
  await asking.owner.client.approvals.reject(id);
});
