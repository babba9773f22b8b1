import type { Browser, Page, PlaywrightWorkerArgs } from "@playwright/test";
import { EventStream } from "../api/event-stream";
import { WalletSession } from "../api/wallet-session";
import { type Asking, decidedRow, endWindowIn, expect, linkOf, PAGE, rowOf, test } from "./approvals-fixtures";
import { expectAccessible, shot } from "./checks";
import { productURL, signedIn, unlock } from "./fixtures";

/** Of the held payment: nothing but the owner's screen may show it. */
const CANARY = { amount: "17.391846", units: "17391846", memo: "canary-memo-approvals" };

const dialogOf = (page: Page) => page.getByRole("dialog");
const queueOf = (page: Page) => page.getByRole("list", { name: "Payments that wait" });
const approveButton = (page: Page) => dialogOf(page).getByRole("button", { name: "Approve payment" });

/** Another browser of the same owner, with the payment open and one press before the decision. */
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
  await dialogOf(page).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(approveButton(page)).toBeEnabled();
  return page;
}

test("what an agent asks appears in an open page, is approved there without the wallet, and is paid once answered", async ({
  page,
  playwright,
  asking,
  other,
}) => {
  const { owner } = asking;
  const wallet = await signedIn(page, owner.walletKey, playwright);
  const heard: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().includes("/api/stream")) heard.push(await response.text().catch(() => ""));
  });
  const session = await WalletSession.open(playwright, productURL, { key: owner.walletKey });
  const stream = await EventStream.open(session, productURL);
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "approvals-empty");
  await expect(page).toHaveTitle(/^Approvals/);

  const id = await asking.hold({ to: other.handle, amount: CANARY.amount, memo: CANARY.memo });
  const row = rowOf(page, id);
  await expect(row).toContainText(other.handle);
  await expect(row).toContainText("sealed amount");
  await expect(row.getByRole("timer")).toContainText(/23 h \d+ min left/);
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
  await expect(dialog).toContainText(`${CANARY.amount} USDG is above 10 USDG`);
  await expect(dialog.getByText(other.address.toLowerCase())).toBeAttached();
  await expect(dialog).toContainText("0 USDG of 200 USDG used");
  await expect(dialog.getByRole("button", { name: "Approve", exact: true })).not.toBeFocused();
  await expectAccessible(page);
  await shot(page, "approvals-review");

  const signed = wallet.requests.length;
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Back" })).toBeFocused();
  await expect(dialog).toContainText(`${CANARY.amount} USDG`);
  await expect(dialog).toContainText(other.address.toLowerCase());
  await expectAccessible(page);
  await shot(page, "approvals-confirm");
  // Until the service has answered, nothing says that it was approved.
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let posted = "";
  await page.context().route("**/approve?*", async (route) => {
    posted = route.request().postData() ?? "";
    await held;
    await route.continue();
  });
  await approveButton(page).click();
  await expect(dialog).toContainText("Proving on this machine");
  await expect.poll(() => posted, { timeout: 60_000 }).not.toBe("");
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await asking.statusOf(id)).toBe("pending_approval");
  await expect(dialog).toContainText("Proving on this machine");
  for (const secret of [CANARY.amount, CANARY.units, CANARY.memo]) expect(posted).not.toContain(secret);
  answer();
  await expect(dialog).toContainText("Final on chain.", { timeout: 60_000 });
  expect(wallet.requests).toHaveLength(signed);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page).toHaveTitle(/^Approvals/);
  await expect(decidedRow(page, id)).toContainText("Approved");
  await expect(decidedRow(page, id)).toContainText("by you, in this session");
  const { transfers } = await other.client.transfers({ limit: 1 });
  expect(transfers).toMatchObject([{ amount: CANARY.amount, memo: CANARY.memo, from: asking.agent }]);
  await shot(page, "approvals-decided");
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
  // The keys work once the page does.
  await expect(async () => {
    await keyboard.press("j");
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
  await expect(queueOf(page).getByText("by you, in this session")).toBeVisible();
  expect(await asking.paid()).toBe(paid);
  await expect(below).toBeFocused();

  await keyboard.press("a");
  const unlocking = page.getByRole("dialog", { name: "Unlock amounts" });
  const wallet = unlocking.getByRole("button", { name: "Vigil Wallet" });
  const open = unlocking.getByRole("button", { name: "Unlock", exact: true });
  await expect(wallet.or(open.and(page.locator(":enabled"))).first()).toBeVisible();
  if (await wallet.isVisible()) await wallet.press("Enter");
  await open.press("Enter");
  const confirm = page.getByRole("dialog", { name: "Approve this payment?" });
  await expect(confirm).toContainText("12 USDG");
  await expect(confirm.getByRole("button", { name: "Back" })).toBeFocused();
  await expect(approveButton(page)).toBeEnabled();
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(dialog).toContainText("Final on chain.", { timeout: 60_000 });
  await keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await asking.statusOf(second)).toBe("approved");
  expect(await asking.paid()).toBe(paid + 1);
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible({ timeout: 20_000 });
});

test("a payment runs out before the eye: the page says so by itself, and nothing is paid", async ({
  page,
  playwright,
  asking,
  other,
}) => {
  const id = await asking.hold({ to: other.handle, amount: "13" });
  const paid = await asking.paid();
  await signedIn(page, asking.owner.walletKey, playwright);
  await page.goto(PAGE);
  await expect(rowOf(page, id)).toBeVisible();
  await endWindowIn(id, 12);
  // Another request makes the page look again: it sees the new end.
  const next = await asking.hold({ to: other.handle, amount: "14" });
  await expect(rowOf(page, next)).toBeVisible();
  await expect(rowOf(page, id).getByRole("timer")).toContainText(/0:\d\d left/);
  await shot(page, "approvals-soon");
  await expect(queueOf(page).getByText("nobody decided in time")).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(linkOf(id))).toHaveCount(0);
  await expect(decidedRow(page, id)).toContainText("Expired", { timeout: 20_000 });
  await expect(rowOf(page, next)).toBeVisible();
  await page.goto(`${PAGE}?status=expired&open=${id}`);
  await expect(dialogOf(page)).toContainText("Expired nobody decided in time");
  await expect(dialogOf(page).getByRole("button", { name: /Approve|Reject/ })).toHaveCount(0);
  await expectAccessible(page);
  expect(await asking.paid()).toBe(paid);
  await asking.owner.client.reject(next);
});

test("two browsers approve at once: one pays, the other is told, and it is paid once", async ({
  browser,
  playwright,
  asking,
  other,
}) => {
  const id = await asking.hold({ to: other.handle, amount: "15" });
  const paid = await asking.paid();
  const pages = [
    await readyToApprove(browser, playwright, asking, id),
    await readyToApprove(browser, playwright, asking, id),
  ];
  await Promise.all(pages.map((page) => approveButton(page).click()));
  const outcomes = await Promise.all(
    pages.map(async (page) => {
      const won = dialogOf(page).getByText("Final on chain.");
      const lost = dialogOf(page).getByText("Somebody was faster.");
      await expect(won.or(lost)).toBeVisible({ timeout: 90_000 });
      return (await won.isVisible()) ? "won" : "lost";
    }),
  );
  expect([...outcomes].sort()).toEqual(["lost", "won"]);
  const loser = dialogOf(pages[outcomes.indexOf("lost")] as Page);
  await expect(loser).toContainText("Approved by you, in another session");
  expect(await asking.paid()).toBe(paid + 1);
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
  await page.context().route("**/api/accounts/resolve?*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), address: asking.owner.address } });
  });
  await page.goto(PAGE);
  await unlock(page);
  await page.locator(linkOf(id)).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("alert")).toContainText(`${other.handle} now leads to another address.`);
  await expect(dialog.getByRole("button", { name: "Approve", exact: true })).toBeDisabled();
  await page.keyboard.press("a");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expect(approveButton(page)).toHaveCount(0);
  await expectAccessible(page);
  await shot(page, "approvals-danger");
  expect(await asking.statusOf(id)).toBe("pending_approval");
  expect(await asking.paid()).toBe(paid);
  await asking.owner.client.reject(id);
});

test("somebody else's held payment is not found, by page and by API, and nothing of it changes", async ({
  page,
  playwright,
  asking,
  other,
}) => {
  const id = await asking.hold({ to: other.handle, amount: "11" });
  const paid = await asking.paid();
  await signedIn(page, other.walletKey, playwright);
  await page.goto(`${PAGE}?open=${id}`);
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  expect(await page.content()).not.toContain(asking.agent);
  for (const verb of ["approve", "reject"]) {
    const answer = await page.request.post(`/api/agents/transactions/${id}/${verb}`, { data: {} });
    expect(answer.status()).toBe(404);
  }
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  expect(await asking.statusOf(id)).toBe("pending_approval");
  expect(await asking.paid()).toBe(paid);
  await asking.owner.client.reject(id);
});

test("without JavaScript queue and decisions are in the page; a notification tells of a request, of nothing in it, and leads to it", async ({
  browser,
  page,
  playwright,
  asking,
  other,
}) => {
  await page.context().grantPermissions(["notifications"], { origin: productURL });
  await page.addInitScript(() => {
    const shown: unknown[] = [];
    class Recorder extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        shown.push([title, options]);
        super(title, options);
        Object.assign(window, { last: this });
      }
      static override get permission(): NotificationPermission {
        return "granted";
      }
      static override requestPermission = () => Promise.resolve<NotificationPermission>("granted");
    }
    Object.assign(window, { Notification: Recorder, shown });
    // Nobody looks at this page.
    document.hasFocus = () => false;
  });
  await signedIn(page, asking.owner.walletKey, playwright);
  await page.goto(PAGE);
  await page.getByRole("button", { name: "Notify me" }).click();
  await expect(page.getByRole("button", { name: "Stop notifying me" })).toBeVisible();
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await expect(page).toHaveURL(/\/agents$/);
  const id = await asking.hold({ to: other.handle, amount: CANARY.amount, memo: CANARY.memo });
  const shown = () => page.evaluate(() => (window as unknown as { shown: unknown[] }).shown);
  await expect.poll(shown).toContainEqual(["An agent asks for approval", { tag: id }]);
  expect(JSON.stringify(await shown())).not.toMatch(/17[.,]?391846|canary/);
  // Pressed, it shows the payment in the same page: what was unlocked there stays so.
  await page.evaluate(() => {
    const { last } = Object.assign(window, { loadedOnce: true }) as unknown as { last: Notification };
    last.dispatchEvent(new Event("click"));
  });
  await expect(page).toHaveURL(`${productURL}${PAGE}?open=${id}`);
  await expect(page.getByRole("dialog", { name: `asks to pay ${other.handle}` })).toBeVisible();
  expect(await page.evaluate(() => "loadedOnce" in window)).toBe(true);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await signedIn(bare, asking.owner.walletKey, playwright);
  await bare.goto(`${productURL}${PAGE}`);
  await expect(rowOf(bare, id)).toContainText(other.handle);
  expect(await bare.content()).not.toMatch(/17[.,]?391846|canary/);
  await asking.owner.client.reject(id);
  await bare.reload();
  await bare.getByRole("link", { name: "Rejected" }).click();
  await expect(bare.getByText(other.handle).first()).toBeVisible();
  expect(await bare.content()).not.toMatch(/17[.,]?391846|canary/);
  await context.close();
});
