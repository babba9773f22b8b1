import type { Route } from "@playwright/test";
import { newAsking } from "./approvals-fixtures";
import { expectAccessible, shot } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { productURL } from "./owner";

test("a notification and a mail to a confirmed address announce what an agent asks and say nothing of it; the overview says what waits and was paid without an amount; unlocked, it charts what was spent, and sends nothing", async ({
  page,
  playwright,
  configDir,
}) => {
  // A separate account, because other tests' spending would change the sums.
  const asking = await newAsking(configDir);
  await page.addInitScript(() => {
    const shown: unknown[] = [];
    class Recorder {
      static permission = "granted";
      static requestPermission = async () => "granted";
      onclick = () => {};
      constructor(...of: unknown[]) {
        shown.push(of);
        Object.assign(window, { last: this });
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorder, shown });
    localStorage.setItem("halcyon.notify-approvals", "on");
    // The page does not have the focus.
    document.hasFocus = () => false;
  });
  await signedIn(page, asking.owner.walletKey, playwright);
  await page.goto("/test/settings/notifications");
  await expect(page.getByText("No device yet.")).toBeVisible();
  await page.getByLabel("Email address").fill("owner@example.com");
  await page.getByRole("button", { name: "Send confirmation link" }).click();
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await expectAccessible(page);

  const inbox = page.getByRole("list", { name: "Messages" }).getByRole("listitem");
  const arrived = (subject: string) =>
    expect(async () => {
      await page.goto("/test/inbox");
      await expect(inbox.filter({ hasText: subject })).toHaveCount(1, { timeout: 1_000 });
    }).toPass();
  await arrived("Confirm your email address");
  await inbox.getByRole("link", { name: /notifications\/confirm/ }).click();
  const confirm = page.getByRole("button", { name: "Confirm address" });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  await confirm.click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();

  await page.goto("/test");
  await expect(page.getByText("Nothing waits for you", { exact: false })).toBeVisible();
  const held = await asking.hold({ to: "@demo", amount: "23.751846", memo: "canary-memo" });
  const shown = () => page.evaluate(() => (window as unknown as { shown: unknown[] }).shown);
  // It says nothing of the payment.
  await expect.poll(shown).toContainEqual(["An agent asks for approval", { tag: held }]);
  expect(JSON.stringify(await shown())).not.toMatch(/23[.,]75|23751846|canary/);
  // Clicking it shows the payment in the same page, which would stay unlocked.
  await page.evaluate(() => {
    const { last } = Object.assign(window, { loadedOnce: true }) as unknown as { last: Notification };
    last.onclick?.(new Event("click"));
  });
  await expect(page).toHaveURL(`${productURL}/test/approvals?open=${held}`);
  await expect(page.getByRole("dialog", { name: "asks to pay @demo" })).toBeVisible();
  expect(await page.evaluate(() => "loadedOnce" in window)).toBe(true);

  await arrived("A payment awaits your approval");
  const text = await page.content();
  for (const secret of ["23.751846", "23751846", "canary-memo"]) expect(text).not.toContain(secret);
  expect((await inbox.allTextContents()).join("\n")).not.toContain("@demo");
  await expectAccessible(page);
  await shot(page, "inbox");

  await inbox
    .getByRole("link", { name: /notifications\/unsubscribe/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Stop emails" }).click();
  await expect(page.getByRole("heading", { name: "The emails have stopped" })).toBeVisible();
  await page.goto("/test/settings/notifications");
  await expect(page.getByText("Unsubscribed", { exact: true })).toBeVisible();
  await shot(page, "notifications");

  // Without a session, no one can see an inbox.
  const visitor = await fetch(`${productURL}/test/inbox`, { redirect: "manual" });
  expect(visitor.headers.get("location")).toContain("/sign-in");

  await asking.owner.client.transfers.create({ to: "@demo", amount: "2.5", memo: "Overview", clientSigned: true });
  await page.goto("/test");
  await expect(page.getByRole("link", { name: /waits? for your approval$/ })).toBeVisible();
  const recent = page.getByRole("table", { name: "Transfers" });
  await expect(recent.getByRole("row").filter({ hasText: "@demo" }).first()).toContainText("encrypted amount");
  await expect(page.getByText("Unlock to see what you and your agents spend.")).toBeVisible();
  await expect(page.locator("main")).not.toContainText(/23\.75|2\.5 USDG/);
  await shot(page, "overview-locked");

  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  await unlock(page);
  const spending = page.getByRole("table", { name: "Spending in USDG by payer" });
  await expect(spending.getByRole("row").filter({ hasText: asking.owner.handle }).first()).toContainText("2.5");
  await expect(recent).toContainText("2.50 USDG");
  expect(sent.filter((request) => request.includes("2.5") || request.includes("2500000"))).toEqual([]);
  await expectAccessible(page);
  await shot(page, "overview-open");
  await page.getByRole("button", { name: /^Unlocked/ }).click();
  await expect(spending).toHaveCount(0);
  await expect(page.locator("main")).not.toContainText("2.50 USDG");

  // The queue is shared with other tests.
  const rejected = await fetch(`${productURL}/v1/agents/transactions/${held}/reject`, {
    method: "POST",
    headers: { authorization: `Bearer ${asking.owner.apiKey}` },
  });
  expect(rejected.status).toBe(200);
  await expect(page.getByText("Nothing waits for you", { exact: false })).toBeVisible();
});

test("while the service does not respond, a bar says so and the page stays; then what was opened opens, unlocked as before", async ({
  page,
  filled,
  playwright,
}) => {
  await signedIn(page, filled.walletKey, playwright);
  await page.goto("/test");
  await unlock(page);
  const ofService = (url: URL) => url.searchParams.has("_rsc") || /^\/(api|readyz|test)(\/|$)/.test(url.pathname);
  const bar = page.getByText("Halcyon does not respond.");
  for (const away of ["refused", "proxy", "hangs"]) {
    const opens = away === "proxy" ? "Agents" : away === "refused" ? "Balances" : "API keys";
    const hanging: Route[] = [];
    await page.route(ofService, async (route) => {
      if (away === "refused") await route.abort("connectionrefused");
      else if (away === "proxy") await route.fulfill({ status: 503, contentType: "text/html", body: "Unavailable" });
      else hanging.push(route);
    });
    const heading = page.getByRole("heading", { level: 1 });
    const before = (await heading.textContent()) ?? "";
    await page.getByRole("link", { name: opens, exact: true }).first().click();
    await expect(bar).toBeVisible();
    await expect(heading.filter({ visible: true })).toHaveText(before);
    const now = page.getByRole("button", { name: "Try now" });
    if (away === "refused") {
      // It is back before the page is late. The bar asks by itself too, and may go before the press.
      await page.unroute(ofService);
      await now.evaluateAll(([one]) => one instanceof HTMLElement && one.click());
    } else {
      const asked = page.waitForRequest((request) => new URL(request.url()).pathname === "/readyz");
      await now.click();
      await asked;
      await page.unroute(ofService);
    }
    await expect(heading.filter({ visible: true })).toHaveText(opens);
    await expect(bar).toBeHidden();
    await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
    for (const route of hanging) await route.abort().catch(() => {});
  }
});
