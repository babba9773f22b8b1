import { createHmac } from "node:crypto";
import type { Locator, Page, Route } from "@playwright/test";
import { expectAnnounced } from "../announcements";
import type { Received } from "../receiver";
import { expectAccessible, shot, shotOfState } from "./checks";
import { choose, expect, signedIn } from "./fixtures";
import { call, EVENTS, pay, test, WEBHOOKS, webhookOf } from "./webhook-fixtures";

/** Returns the signature that a receiver checks before it accepts a delivery (docs/webhooks.md). */
const signatureOf = (secret: string, { body }: Received) => createHmac("sha256", secret).update(body).digest("hex");

/** Reads the secret in the dialog, copies it and closes the dialog. */
async function takeSecret(page: Page, dialog: Locator): Promise<string> {
  const secret = (await dialog.locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{40,}$/);
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy secret" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(secret);
  return secret;
}

/** Adds a webhook as a person would. Returns its secret. */
async function add(page: Page, url: string, types: string[] = []): Promise<string> {
  await page.getByRole("link", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Endpoint URL").fill(url);
  if (types.length > 0) await dialog.getByRole("checkbox", { name: "All events" }).click();
  for (const type of types) await dialog.getByRole("checkbox", { name: type }).click();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByRole("dialog", { name: "Copy the signing secret" })).toBeVisible();
  return takeSecret(page, dialog);
}

/** Chooses an action on the webhook's page. */
async function act(page: Page, name: string): Promise<void> {
  await choose(page.getByRole("button", { name: "Actions for this webhook" }), name);
}

const rows = (page: Page) => page.getByRole("table", { name: "Deliveries" }).getByRole("row");

// One sender for both tests.
test.describe.configure({ mode: "default" });

test("a webhook is added with its secret shown once, gets real events signed with it, is tested, rotated, disabled, edited, deleted", async ({
  page,
  receiver,
  sender,
  playwright,
}) => {
  await signedIn(page, sender.walletKey, playwright);
  await page.goto(`${WEBHOOKS}?do=create`);
  const dialog = page.getByRole("dialog", { name: "Add webhook" });
  await dialog.getByLabel("Endpoint URL").fill("http://192.168.0.1/hook");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByText("is not an https address")).toBeVisible();
  await expect(dialog.getByLabel("Endpoint URL")).toBeFocused();
  await expectAccessible(page);
  await shotOfState(page, "webhooks-create");
  // A lost response keeps the form and leads to the list. Enter does not send it again.
  let sent = 0;
  const lost = (route: Route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent += 1;
    return route.abort("connectionreset");
  };
  await page.route("**/v1/webhooks?*", lost);
  await dialog.getByLabel("Endpoint URL").fill(receiver.url());
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByText("Not known yet")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "It is not in the list: add it" })).toBeEnabled();
  await dialog.getByLabel("Endpoint URL").press("Enter");
  await expect(dialog.getByLabel("Endpoint URL")).toHaveValue(receiver.url());
  await expectAccessible(page);
  expect(sent).toBe(1);
  await page.unroute("**/v1/webhooks?*", lost);
  await dialog.getByRole("link", { name: "Look at your webhooks" }).click();
  await expect(page).toHaveURL(new RegExp(`${WEBHOOKS}$`));
  const secret = await add(page, receiver.url(), ["transfer.initiated", "transfer.confirmed"]);

  await page.getByRole("link", { name: receiver.url() }).click();
  await expect(page.getByText("Nothing delivered yet")).toBeVisible();
  const own = page.url();
  // The log updates without a reload.
  await pay(sender, "1.375");
  await expect(rows(page).filter({ hasText: "transfer.confirmed" })).toContainText("Delivered");
  await expect(rows(page).filter({ hasText: "transfer.initiated" })).toContainText("responded 204");
  expect(receiver.types().sort()).toEqual(["transfer.confirmed", "transfer.initiated"]);
  const confirmed = receiver.received.find(({ event }) => event.event === "transfer.confirmed");
  for (const got of receiver.received) {
    expect(got.headers["x-service-signature"]).toBe(signatureOf(secret, got));
    // Not the milliseconds of a time of day.
    expect(got.body).not.toMatch(/(?<!:\d?)1\.375/);
  }
  await expectAccessible(page);
  await shot(page, "webhook-full");

  await page.getByRole("button", { name: "Send test event" }).click();
  const tester = page.getByRole("dialog", { name: "Send test event" });
  await tester.getByLabel("Event type").selectOption("agent.policy.updated");
  await tester.getByRole("button", { name: "Send test event" }).click();
  await expect(tester.getByText(/responded with 204 in \d+ ms/)).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "webhook-test");
  await tester.getByRole("button", { name: "Done" }).click();
  await expect(rows(page).filter({ hasText: "agent.policy.updated" })).toContainText("Test");

  await act(page, "Rotate secret");
  const rotate = page.getByRole("dialog");
  await expect(rotate.getByRole("button", { name: "Cancel" })).toBeFocused();
  await rotate.getByRole("button", { name: "Rotate secret" }).click();
  await expect(rotate.getByText(/The previous secret signs too until/)).toBeVisible();
  await shotOfState(page, "webhook-rotated");
  const newer = await takeSecret(page, rotate);
  await expect(page.getByText("Two secrets")).toBeVisible();
  expect(newer).not.toBe(secret);

  await act(page, "Disable");
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText(/You disabled it/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toBeDisabled();
  await shotOfState(page, "webhook-disabled");
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await expect(page.getByText(/You disabled it/)).toBeHidden();
  await act(page, "Edit");
  const edit = page.getByRole("dialog", { name: "Edit webhook" });
  await edit.getByLabel("Endpoint URL").fill(receiver.url("/moved"));
  await edit.getByRole("checkbox", { name: "transfer.initiated" }).click();
  await edit.getByRole("button", { name: "Save changes" }).click();
  await expect(edit).toBeHidden();
  const { webhooks } = await call<{ webhooks: object[] }>(sender, "GET", "/v1/webhooks");
  expect(webhooks).toMatchObject([{ url: receiver.url("/moved"), events: ["transfer.confirmed"], enabled: true }]);

  // An event's page has its deliveries, and sends it once more.
  await page.goto(EVENTS);
  await shot(page, "events-full");
  await page
    .getByRole("link", { name: /^A payment is final on chain/ })
    .first()
    .click();
  await expect(page.getByText(`"event_id": "${confirmed?.event.event_id}"`)).toBeVisible();
  await expect(rows(page).last()).toContainText("Delivered");
  await expectAccessible(page);
  await shot(page, "event-full");
  await page.getByRole("button", { name: "Send to a webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send event" }).click();
  await expect(page.getByText("Sent again")).toBeVisible();
  await expect.poll(() => receiver.types("/moved")).toContain("transfer.confirmed");
  await page.goto(WEBHOOKS);
  await expectAccessible(page);
  await shot(page, "webhooks-full");
  await page.goto(own);

  await act(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
  await expect(page).toHaveURL(new RegExp(`${WEBHOOKS}$`));
  await expect(page.getByText("No webhooks yet")).toBeVisible();
});

test("a failing receiver is seen failing live; request and response are shown; what failed is redelivered, and resent after its repair", async ({
  browser,
  page,
  receiver,
  sender,
  playwright,
}) => {
  receiver.respond = () => 500;
  const id = await webhookOf(sender, receiver.url(), ["transfer.initiated", "transfer.confirmed"]);
  await signedIn(page, sender.walletKey, playwright);
  // The stream's first connection is refused. The page opens another one and still updates.
  let refused = 0;
  await page.route("**/api/stream*", (route) => {
    refused += 1;
    return refused === 1 ? route.fulfill({ status: 503, body: "{}" }) : route.continue();
  });
  await page.goto(`${WEBHOOKS}/${id}`);
  await pay(sender, "1");
  const confirmed = rows(page).filter({ hasText: "transfer.confirmed" });
  await expect(confirmed).toContainText("Retrying");
  await expect(confirmed).toContainText("responded 500");
  await expect(confirmed).toContainText(/next/);
  const attempts = async () => Number(/(\d+) attempts/.exec((await confirmed.textContent()) ?? "")?.[1] ?? 0);
  await expect.poll(attempts).toBeGreaterThanOrEqual(2);
  expect(refused).toBeGreaterThan(1);
  await expect(page.getByText("100%", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "webhook-failing");
  await expect(page.getByText("Failing", { exact: true })).toBeVisible();
  await expect(page.getByText("Failing: It responded 500", { exact: true })).toBeVisible();
  await expect(page.getByText(/^Failing since /)).toBeVisible();
  const before = await attempts();
  await page.getByRole("button", { name: "Retry now" }).click();
  await expectAnnounced(page, "Trying again");
  await expect.poll(attempts).toBeGreaterThanOrEqual(Math.max(3, before + 1));
  const responses = page.getByRole("img", { name: "Of the newest 2 deliveries, 0 arrived and 2 failed." });
  await page.goto(WEBHOOKS);
  const listed = page.getByRole("table", { name: "Webhooks" }).getByRole("row").filter({ hasText: receiver.url() });
  await expect(listed).toContainText("Failing");
  await expect(listed).toContainText("It responded 500");
  await expect(listed.locator(responses)).toBeVisible();
  await page.goto(`${WEBHOOKS}/${id}`);

  await confirmed.getByRole("link").click();
  await expect(page.getByText(/: It responded 500$/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Attempts" })).toBeVisible();
  const failed = page.getByRole("listitem").filter({ hasText: /^[123]500/ });
  await expect.poll(() => failed.count()).toBeGreaterThanOrEqual(3);
  const [got] = receiver.received.filter(({ event }) => event.event === "transfer.confirmed");
  await expect(page.getByText(`"event_id": "${got?.event.event_id}"`)).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`BODY='${got?.body}'`);
  await expectAccessible(page);
  await shot(page, "delivery-failing");

  const failing = page.url();
  // Without JavaScript the lists are in the page, and narrow by the address alone.
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await signedIn(plain, sender.walletKey, playwright);
  const namesOf = async (path: string, table = "Deliveries") => {
    await plain.goto(path);
    const texts = await plain.getByRole("table", { name: table }).locator("tbody tr").allTextContents();
    return new Set(texts.map((text) => /transfer\.(confirmed|initiated)/.exec(text)?.[0]));
  };
  for (const path of [WEBHOOKS, `${WEBHOOKS}/${id}`]) {
    expect(await namesOf(path)).toEqual(new Set(["transfer.confirmed", "transfer.initiated"]));
    expect(await namesOf(`${path}?event=transfer.initiated`)).toEqual(new Set(["transfer.initiated"]));
    expect(await namesOf(`${path}?event_id=${got?.event.event_id}`)).toEqual(new Set(["transfer.confirmed"]));
    expect(await namesOf(`${path}?from=2020-01-01&to=2020-01-02`)).toEqual(new Set());
    await expect(plain.getByText("No delivery matches these filters")).toBeVisible();
  }
  await expect(plain.getByRole("link", { name: /Until 2020-01-02 in UTC/ })).toBeVisible();
  await plain.getByText("Filter", { exact: true }).click();
  await plain.getByLabel("To, UTC").fill("");
  await plain.getByRole("button", { name: "Apply filters" }).click();
  await expect(rows(plain).filter({ hasText: "transfer.confirmed" }).first()).toBeVisible();
  await plain.goto(`${WEBHOOKS}?event_id=nonsense`);
  await expect(plain.getByText("An event ID starts with evt_.").first()).toBeVisible();
  expect(await namesOf(`${EVENTS}?type=transfer.initiated`, "Events")).toEqual(new Set(["transfer.initiated"]));
  expect(await namesOf(`${EVENTS}?to=2020-01-01`, "Events")).toEqual(new Set());
  await context.close();

  await page.goto(`${WEBHOOKS}/${id}`);
  await act(page, "Redeliver failed events");
  const dialog = page.getByRole("dialog", { name: "Redeliver failed events" });
  await dialog.getByLabel("Failed since").selectOption({ label: "The last hour" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Redeliver" }).click();
  await expectAnnounced(page, "2 events are sent again");
  const replays = rows(page).filter({ hasText: "Replay" });
  await expect(replays).toHaveCount(2);
  await expect(replays.filter({ hasText: "Retrying" })).toHaveCount(2);
  receiver.respond = () => 204;
  // After so many failures the endpoint is paused for up to half a minute.
  await expect(async () => {
    await call(sender, "POST", "/v1/test_helpers/clock/advance", { seconds: 60 });
    await expect(replays.filter({ hasText: "Delivered" })).toHaveCount(2, { timeout: 5_000 });
  }).toPass();

  await page.goto(failing);
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(page).not.toHaveURL(failing);
  await expect(page.getByRole("definition").filter({ hasText: "Delivered" })).toBeVisible();
  const repeated = receiver.received.filter(({ event }) => event.event_id === got?.event.event_id);
  expect(new Set(repeated.map(({ body }) => body)).size).toBe(1);
  await shotOfState(page, "delivery-resent");
});
