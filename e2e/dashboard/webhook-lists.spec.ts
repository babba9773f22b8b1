import type { Page } from "@playwright/test";
import { expectAccessible, shot } from "./checks";
import { expect, signedIn } from "./fixtures";
import { EVENTS, pay, test, WEBHOOKS, webhookOf } from "./webhook-fixtures";

const rows = (page: Page) => page.getByRole("table", { name: "Deliveries" }).getByRole("row");

const rowsOf = (page: Page) => page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");

test("lists narrow by the address alone and are in the page without JavaScript; another account sees nothing of them", async ({
  browser,
  page,
  receiver,
  sender,
  other,
  playwright,
}) => {
  const id = await webhookOf(sender, receiver.url("/narrow"), ["transfer.initiated", "transfer.confirmed"]);
  await pay(sender, "1");
  await expect.poll(() => receiver.types("/narrow").length).toBe(2);
  const eventId = receiver.received.find(({ event }) => event.event === "transfer.confirmed")?.event.event_id ?? "";

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await signedIn(plain, sender.walletKey, playwright);
  const listed = async (path: string, table = "Deliveries") => {
    await plain.goto(path);
    const texts = await plain.getByRole("table", { name: table }).locator("tbody tr").allTextContents();
    return texts.map((text) => /transfer\.(confirmed|initiated)/.exec(text)?.[0]);
  };
  for (const path of [WEBHOOKS, `${WEBHOOKS}/${id}`]) {
    expect(await listed(path)).toEqual(["transfer.confirmed", "transfer.initiated"]);
    expect(await listed(`${path}?event=transfer.initiated`)).toEqual(["transfer.initiated"]);
    expect(await listed(`${path}?event_id=${eventId}`)).toEqual(["transfer.confirmed"]);
    expect(await listed(`${path}?status=exhausted`)).toEqual([]);
    await expect(plain.getByText("No delivery matches these filters")).toBeVisible();
    expect(await listed(`${path}?from=2020-01-01&to=2020-01-02`)).toEqual([]);
  }
  await expect(plain.getByRole("link", { name: /Until 2020-01-02 in UTC/ })).toBeVisible();
  await plain.getByText("Filter", { exact: true }).click();
  await plain.getByLabel("To, UTC").fill("");
  await plain.getByRole("button", { name: "Apply filters" }).click();
  await expect(rowsOf(plain)).toHaveCount(2);
  await plain.goto(`${WEBHOOKS}?event_id=nonsense`);
  await expect(plain.getByText("An event ID starts with evt_.").first()).toBeVisible();
  expect((await listed(EVENTS, "Events")).slice(0, 2)).toEqual(["transfer.confirmed", "transfer.initiated"]);
  expect(new Set(await listed(`${EVENTS}?type=transfer.initiated`, "Events"))).toEqual(new Set(["transfer.initiated"]));
  expect(await listed(`${EVENTS}?to=2020-01-01`, "Events")).toEqual([]);

  await signedIn(page, sender.walletKey, playwright);
  await page.goto(WEBHOOKS);
  await expectAccessible(page);
  await shot(page, "webhooks-full");
  await page.goto(EVENTS);
  await expectAccessible(page);
  await shot(page, "events-full");
  await page
    .getByRole("link", { name: /^A payment is final on chain/ })
    .first()
    .click();
  await expect(page.getByText(`"event_id": "${eventId}"`)).toBeVisible();
  await expect(rows(page).filter({ hasText: receiver.url("/narrow") })).toContainText("Delivered");
  await expectAccessible(page);
  await shot(page, "event-full");
  await page.getByRole("button", { name: "Send to a webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send event" }).click();
  await expect(page.getByText("Sent again")).toBeVisible();
  await expect.poll(() => receiver.types("/narrow").length).toBe(3);
  const delivery = page.url();

  await context.clearCookies();
  const stranger = await context.newPage();
  await signedIn(stranger, other.walletKey, playwright);
  for (const path of [WEBHOOKS, EVENTS]) {
    await stranger.goto(path);
    expect(await stranger.content()).not.toContain("/narrow");
    expect(await stranger.content()).not.toContain(eventId);
  }
  for (const path of [`${WEBHOOKS}/${id}`, `${EVENTS}/${eventId}`, delivery]) {
    expect((await stranger.goto(path))?.status(), path).toBe(404);
  }
  await context.close();
});
