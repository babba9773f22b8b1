import type { Locator } from "@playwright/test";
import { expectAnnounced } from "../announcements";
import { EventStream } from "../api/event-stream";
import { WalletSession } from "../api/wallet-session";
import {
  approveButton,
  decidedRow,
  dialogOf,
  endWindowIn,
  linkOf,
  newAsking,
  PAGE,
  queueOf,
  repeatHeld,
  rowOf,
} from "./approvals-fixtures";
import { expectAccessible, shot, shotOfState } from "./checks";
import { chooseWallet, expect, signedIn, test, unlock } from "./fixtures";
import { productURL } from "./owner";

// One owner for all tests.
test.describe.configure({ mode: "default" });

/** The held payment's content, which only the owner's screen may show. */
const CANARY = { amount: "17.391846", units: "17391846", memo: "canary-memo-approvals" };

test("what an agent asks appears in an open page, is approved there without the wallet, and is paid once approved", async ({
  page,
  playwright,
  configDir,
  other,
}) => {
  const asking = await newAsking(configDir);
  const { owner } = asking;
  const wallet = await signedIn(page, owner.walletKey, playwright);
  const heard: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().includes("/api/stream")) heard.push(await response.text().catch(() => ""));
  });
  const session = await WalletSession.open(playwright, productURL, { key: owner.walletKey });
  const stream = await EventStream.open(session, productURL);
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "Nothing awaits your approval" })).toBeVisible();
  await expect(page).toHaveTitle(/^Approvals/);

  const id = await asking.hold({ to: other.handle, amount: CANARY.amount, memo: CANARY.memo });
  const row = rowOf(page, id);
  await expect(row).toContainText(other.handle);
  await expect(row).toContainText("encrypted amount");
  await expect(row.getByRole("timer")).toContainText(/\d+ h \d+ min left/);
  await expect(page.getByRole("link", { name: /^Approvals/ })).toContainText("1");
  await expect(page).toHaveTitle(/^\(1\) Approvals/);
  await expect.poll(() => stream.types("change")).toContain("agent.transaction.held");
  for (const text of [await page.content(), stream.text, ...heard]) {
    expect(text).not.toContain(CANARY.amount);
    expect(text).not.toContain(CANARY.units);
    expect(text).not.toContain(CANARY.memo);
  }
  stream.close();
  await expectAccessible(page);
  await shot(page, "approvals-locked");

  await unlock(page);
  await expect(row).toContainText(`${CANARY.amount} USDG`);
  await row.getByRole("link").click();
  const dialog = dialogOf(page);
  await expect(dialog).toContainText(CANARY.memo);
  await expect(dialog).toContainText(`${CANARY.amount} USDG is above 10.00 USDG`);
  await expect(dialog.getByText(other.address.toLowerCase())).toBeAttached();
  await expect(dialog).toContainText("0.00 USDG of 200.00 USDG used");
  await expect(approveButton(page)).not.toBeFocused();
  await expectAccessible(page);
  await shotOfState(page, "approvals-review");

  const signed = wallet.requests.length;
  await expect(dialog).toContainText(`${CANARY.amount} USDG`);
  // Nothing says that it was approved before the service has responded.
  let reply: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    reply = resolve;
  });
  let posted = "";
  await page.context().route("**/approve?*", async (route) => {
    posted = route.request().postData() ?? "";
    await held;
    await route.continue().catch(() => {});
  });
  await approveButton(page).click();
  await expect(dialog).toContainText("Proving on this machine");
  await expect.poll(() => posted).not.toBe("");
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await asking.statusOf(id)).toBe("pending_approval");
  await expect(dialog).toContainText("Proving on this machine");
  for (const secret of [CANARY.amount, CANARY.units, CANARY.memo]) expect(posted).not.toContain(secret);
  reply();
  await expect(dialog).toContainText("Final on chain.");
  expect(wallet.requests).toHaveLength(signed);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page).toHaveTitle(/^Approvals/);
  await expect(decidedRow(page, id)).toContainText("Approved");
  await expect(decidedRow(page, id)).toContainText("by you, in this session");
  const { transfers } = await other.client.transfers.listDecrypted({ limit: 1 });
  expect(transfers).toMatchObject([{ amount: CANARY.amount, memo: CANARY.memo, from: asking.agent }]);
  await shotOfState(page, "approvals-decided");
});

test("the queue is worked through with the keyboard alone: one is rejected, one approved after unlocking", async ({
  page,
  playwright,
  asking,
  other,
}) => {
  const [first, second] = [
    await asking.hold({ to: other.handle, amount: "11" }),
    await asking.hold({ to: other.handle, amount: "12" }),
  ];
  const paid = await asking.paid();
  await signedIn(page, asking.owner.walletKey, playwright);
  await page.goto(PAGE);
  const [top, below] = [page.locator(linkOf(first)), page.locator(linkOf(second))];
  await expect(below).toBeVisible();
  const { keyboard } = page;
  // The shortcuts work once the page's scripts have loaded. Two presses that were both late lead to the one below.
  const isFocused = (link: Locator) => link.evaluate((element) => element === document.activeElement);
  await expect(async () => {
    if (!(await isFocused(top))) await keyboard.press((await isFocused(below)) ? "k" : "j");
    await expect(top).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await keyboard.press("j");
  await expect(below).toBeFocused();
  await keyboard.press("ArrowUp");
  await expect(top).toBeFocused();
  await keyboard.press("Enter");
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("button", { name: "Reject" })).toBeVisible();
  for (const button of await dialog.getByRole("button").all()) await expect(button).not.toBeFocused();
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(top).toBeFocused();

  await keyboard.press("r");
  await expect(dialog.getByRole("button", { name: "Back" })).toBeFocused();
  await keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "Reject payment" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(() => asking.statusOf(first)).toBe("rejected");
  // The queue shows it until it appears in the history.
  await expect(page.getByText("by you, in this session").first()).toBeVisible();
  expect(await asking.paid()).toBe(paid);
  await expect(below).toBeFocused();

  const unlocking = page.getByRole("dialog", { name: "Unlock amounts" });
  await keyboard.press("a");
  // Its main button is disabled until there is a wallet: a disabled button can't have the focus.
  await expect.poll(() => unlocking.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await unlocking.getByRole("button", { name: "Not now" }).click();
  await expect(unlocking).toBeHidden();
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(below).toBeFocused();
  // All code is there by now: both dialogs open in one step, and the upper one is not hidden.
  await keyboard.press("a");
  const open = unlocking.getByRole("button", { name: "Unlock", exact: true });
  // Disabled until the wallet is connected, and a key pressed on a disabled button is lost.
  await chooseWallet(unlocking, open.and(page.locator(":enabled")), (wallet) =>
    wallet.press("Enter", { timeout: 2_000 }),
  );
  await open.press("Enter");
  // It fades out while the next dialog opens.
  await expect(page.getByRole("dialog", { name: "Unlock amounts" })).toBeHidden();
  await expect(dialog).toContainText("12.00 USDG");
  await expect(approveButton(page)).toBeFocused();
  await keyboard.press("Enter");
  await expect(dialog).toContainText("Final on chain.");
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await asking.statusOf(second)).toBe("approved");
  expect(await asking.paid()).toBe(paid + 1);
  await expect(page.getByRole("heading", { name: "Nothing awaits your approval" })).toBeVisible();
});

test("several are approved with one total: one that was decided meanwhile is left out, one whose response is lost is checked again, and each is paid once", async ({
  page,
  playwright,
  asking,
  other,
}) => {
  const ids: string[] = [];
  for (const amount of ["11", "12", "13.5"]) ids.push(await asking.hold({ to: other.handle, amount }));
  const [first = "", gone = "", lost = ""] = ids;
  const paid = await asking.paid();
  await signedIn(page, asking.owner.walletKey, playwright);
  await page.goto(PAGE);
  await unlock(page);
  await page.locator(linkOf(first)).focus();
  await page.keyboard.press("x");
  await page.locator(linkOf(lost)).focus();
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("3 selected")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "approvals-selected");
  await page.getByRole("button", { name: "Approve 3", exact: true }).click();
  const dialog = dialogOf(page);
  const row = (index: number) => dialog.getByRole("listitem").nth(index);
  await expect(dialog.getByText("36.50 USDG")).toBeVisible();
  await expect(dialog.getByText(other.handle)).toHaveCount(1);
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectAccessible(page);
  await shotOfState(page, "approvals-bulk");

  await asking.owner.client.approvals.reject(gone);
  await expect(row(1)).toContainText("Rejected");
  await expect(dialog.getByText("24.50 USDG")).toBeVisible();
  // Requests for this payment never arrive, until the same document is sent again.
  const never = `**/${lost}/approve?*`;
  await page.context().route(never, (route) => route.abort("connectionreset"));
  await dialog.getByRole("button", { name: "Approve 2 payments" }).click();
  await expect(row(0)).toContainText("Paid");
  await expect(row(2)).toContainText("We don't know yet whether this was paid: the response was lost.");
  await expect(dialog.getByText(/It was not approved|not sent/)).toHaveCount(0);
  await expectAccessible(page);
  await shotOfState(page, "approvals-bulk-lost");
  await page.context().unroute(never);
  await dialog.getByRole("button", { name: "Check again" }).click();
  await expect(row(2)).toContainText("Paid");
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await Promise.all(ids.map(asking.statusOf))).toEqual(["approved", "rejected", "approved"]);
  expect(await asking.paid()).toBe(paid + 2);

  // The same selection rejects, and leaves what was not selected.
  const more: string[] = [];
  for (const amount of ["14", "15", "16"]) more.push(await asking.hold({ to: other.handle, amount }));
  for (const id of more.slice(0, 2)) {
    await page.locator(linkOf(id)).focus();
    await page.keyboard.press("x");
  }
  await page.getByRole("button", { name: "Reject 2", exact: true }).click();
  await dialog.getByRole("button", { name: "Reject 2 payments" }).click();
  await expect(row(1)).toContainText("Rejected");
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await Promise.all(more.map(asking.statusOf))).toEqual(["rejected", "rejected", "pending_approval"]);
  await asking.owner.client.approvals.reject(more[2] ?? "");
  expect(await asking.paid()).toBe(paid + 2);
});

test("a long queue is read in pages, with and without JavaScript, and rejected at once, after a question; one whose time is up is said to be, and nothing is paid", async ({
  browser,
  page,
  playwright,
  asking,
  other,
}) => {
  const ids = [
    await asking.hold({ to: other.handle, amount: "15" }),
    await asking.hold({ to: other.handle, amount: "16" }),
    await asking.hold({ to: other.handle, amount: "17" }),
  ];
  const paid = await asking.paid();
  await repeatHeld(ids[2] ?? "", 57);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await signedIn(bare, asking.owner.walletKey, playwright);
  await signedIn(page, asking.owner.walletKey, playwright);
  for (const each of [bare, page]) {
    await each.goto(`${productURL}${PAGE}`);
    const pages = each.getByRole("navigation", { name: "Pages of payments that wait" });
    await expect(pages).toContainText("1–20 of 60");
    await expect(rowOf(each, ids[0] ?? "")).toBeVisible();
    await pages.getByRole("link", { name: "Newer" }).click();
    await expect(pages).toContainText("21–40 of 60");
    await expect(each.locator("[data-held]")).toHaveCount(20);
    await expect(rowOf(each, ids[0] ?? "")).toHaveCount(0);
    // An offset past the end shows the last page.
    await each.goto(`${productURL}${PAGE}?waiting=400`);
    await expect(pages).toContainText("41–60 of 60");
    await expect(pages.getByRole("link")).toHaveText(["Older"]);
  }
  await shotOfState(page, "approvals-long");
  // Payments that leave an earlier page move rows to the previous page. Those still wait and must not be shown as gone.
  await asking.owner.client.approvals.reject(ids[0] ?? "");
  await expect(page.getByRole("navigation", { name: "Pages of payments that wait" })).toContainText("41–59 of 59");
  await expect(queueOf(page).getByRole("listitem")).toHaveCount(19);
  const dialog = page.getByRole("dialog", { name: "Reject all payments that wait?" });
  // Presses before the page's scripts have loaded are lost.
  await expect(async () => {
    if (!(await dialog.isVisible()))
      await page.getByRole("button", { name: "Reject all", exact: true }).click({ timeout: 2_000 });
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(dialog.getByRole("button", { name: "Keep waiting" })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Reject all payments" }).click();
  await expectAnnounced(page, "59 payments rejected");
  expect(await Promise.all(ids.map(asking.statusOf))).toEqual(["rejected", "rejected", "rejected"]);
  await expect(page.locator("[data-held]")).toHaveCount(0);
  expect(await asking.paid()).toBe(paid);
  await bare.reload();
  await bare.getByRole("link", { name: "Rejected" }).click();
  await expect(bare.getByText(other.handle).first()).toBeVisible();
  await context.close();

  // A payment whose time is up is asked about by the page itself, which says that no one decided.
  const late = await asking.hold({ to: other.handle, amount: "13" });
  await page.goto(PAGE);
  const timer = rowOf(page, late).getByRole("timer");
  await expect(timer).toContainText(/23 h \d+ min left/);
  // By the page's clock the window has ended. It asks the service, whose clock decides.
  const asks = page.waitForRequest((request) => request.url().includes("/v1/agents/transactions/pending"));
  await page.clock.setFixedTime(Date.now() + 7 * 86_400_000);
  await asks;
  await expect(timer).toContainText("time is up");
  await endWindowIn(late, 0);
  await expect(queueOf(page).getByText("no one decided in time")).toBeVisible();
  await expect(page.locator(linkOf(late))).toHaveCount(0);
  await expect(decidedRow(page, late)).toContainText("Expired");
  await page.goto(`${PAGE}?status=expired&open=${late}`);
  await expect(dialogOf(page)).toContainText("Expired no one decided in time");
  await expect(dialogOf(page).getByRole("button", { name: /Approve|Reject/ })).toHaveCount(0);
  await expectAccessible(page);
  expect(await asking.paid()).toBe(paid);
});
