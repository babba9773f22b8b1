import type { Locator, Page } from "@playwright/test";
import { Receiver } from "@/test/services/receiver";
import type { Camera } from "./camera";

/** What each step of the tour uses. */
export interface Tour {
  page: Page;
  camera: Camera;
  url: string;
}

/** Long enough for a proof and a final payment on a busy machine. */
const SETTLED = { timeout: 90_000 };

/** Clicks "Sign" in the dialog that explains a signature. */
async function sign(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title, exact: true });
  const hidden = dialog.waitFor({ state: "hidden", timeout: 60_000 });
  const button = dialog.getByRole("button", { name: "Sign", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await hidden;
}

async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? "").trim();
}

/** Opens a page of the dashboard by its link, so that the session stays unlocked. */
async function open(page: Page, name: string, title = name): Promise<void> {
  await page
    .getByRole("link", { name, exact: name !== "Approvals" })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}

/** Pays through the API, like a program. */
async function pay(url: string, key: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (await fetch(`${url}/v1/transfers`, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

async function expectStatus(status: Promise<number>, wanted: number): Promise<void> {
  const got = await status;
  if (got !== wanted) throw new Error(`a payment was answered with ${got}, not ${wanted}`);
}

/** Landing page, sign-in and first visit. Returns the API key. */
export async function signUp({ page, camera, url }: Tour): Promise<string> {
  await page.goto(`${url}/sign-in`);
  const burner = page.getByRole("button", { name: /Test wallet in this browser/ });
  await burner.waitFor();
  await camera.frame("sign-in", "Sign in with a wallet; on this machine a marked test wallet needs no extension.");
  await burner.click();
  await page.waitForURL(/\/test\/welcome$/);
  await page.getByLabel("Handle").fill(`tour-${Date.now().toString(36)}`);
  await camera.frame("welcome", "The first visit is one page, step by step, from a handle to a first payment.");
  await page.getByRole("button", { name: "Create account" }).click();

  const code = await textOf(page.locator("code"));
  await page.getByRole("button", { name: "I have stored it" }).click();
  const group = page.getByLabel(/Type group \d of 7/);
  const label = await textOf(page.locator("label", { hasText: "Type group" }));
  await group.fill(code.split("-")[Number(/group (\d)/.exec(label)?.[1]) - 1] ?? "");
  await page.getByRole("button", { name: "Enroll", exact: true }).click();
  await page.getByRole("dialog", { name: "Create your account's key" }).waitFor();
  await camera.frame("signature", "Before each signature the page says in a sentence what it is for.");
  await sign(page, "Create your account's key");
  await sign(page, "Enroll your account");
  await page.getByRole("button", { name: "Verify identity" }).click();
  await page.getByRole("button", { name: "Get test money" }).click();
  await sign(page, "Deposit");
  await sign(page, "Change the available balance");
  await page.getByRole("button", { name: /^Pay 1.50 USDG/ }).click();
  await page.getByText("Your payment arrived.").waitFor(SETTLED);
  await page.getByRole("button", { name: "Create API key" }).click();
  const key = await textOf(page.locator("code", { hasText: /^hc_test_/ }));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.locator("pre code").waitFor();
  await expectStatus(pay(url, key, { to: "@demo", amount: "1.5" }), 201);
  await camera.frame(
    "first-payment",
    "It ends with a first payment, and for developers with a curl line that works when pasted.",
  );
  await page.getByRole("link", { name: "Go to your dashboard" }).click();
  return key;
}

/** Balances, and a client-signed payment. */
export async function payment({ page, camera }: Tour): Promise<void> {
  await page.getByText("Decrypted in this browser.").waitFor();
  await open(page, "Balances");
  await page.getByText("Decrypted in this browser.").waitFor();
  await camera.screen("balances", "Balances are decrypted in the browser; the service sees none of these amounts.");
  await page.getByRole("link", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("To").fill("@demo");
  await dialog.getByLabel("Amount", { exact: true }).fill("2");
  await dialog.getByLabel("Memo").fill("Coffee");
  await dialog.getByRole("button", { name: "Review", exact: true }).click();
  await dialog.getByRole("button", { name: "Pay 2.00 USDG", exact: true }).click();
  await dialog.getByText("Final on chain.").waitFor(SETTLED);
  await camera.frame("payment", "A payment is built, proved and signed in the browser, and final in a moment.");
  await page.keyboard.press("Escape");
  await open(page, "Payments", "Transfers");
  await page.getByText("Coffee").first().waitFor();
  await camera.frame("transfers", "Both sides read amount and memo; everyone else sees that a payment happened.");
}

/** An agent with a policy, money and a key. Returns the key. */
export async function agent({ page, camera }: Tour): Promise<string> {
  await open(page, "Agents");
  await page.locator('a[href="/test/agents/new"]').first().click();
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await field("Name").fill("buyer");
  await field("Per day").fill("20");
  await field("Per payment").fill("10");
  await field("Ask me above").fill("4");
  await field("Recipients").fill("@demo");
  await field("Recipients").press("Enter");
  await page.getByRole("textbox", { name: /^Fund it with/ }).fill("12");
  await camera.frame("policy", "An agent gets a policy that explains itself in a sentence while it is written.");
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByText(/buyer is ready/).waitFor(SETTLED);
  await camera.frame("agent", "Wallet, policy, money and key in one go: the agent can pay.");
  return textOf(page.locator("code", { hasText: /^hc_test_/ }));
}

/** The agent requests a payment above its approval threshold, and the owner approves. */
export async function approval({ page, camera, url }: Tour, agentKey: string): Promise<void> {
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.goto(`${url}/test/approvals`);
  await expectStatus(pay(url, agentKey, { to: "@demo", amount: "6", memo: "Printer paper" }), 202);
  const waiting = page.locator("[data-held]").first();
  await waiting.waitFor();
  await camera.frame(
    "held",
    "Above its threshold the agent has to ask: the payment appears live, its amount encrypted.",
  );
  // The page was loaded again: payments can be read, and the wallet signs before money moves.
  await page.getByRole("button", { name: /^(Locked|Amounts shown)/ }).click();
  await page
    .getByRole("dialog", { name: "Unlock amounts" })
    .getByRole("button", { name: "Unlock", exact: true })
    .click();
  await page.getByRole("button", { name: /^Unlocked/ }).waitFor();
  await waiting.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Printer paper").first().waitFor();
  await camera.frame("review", "Unlocked, the owner sees the payment, its recipient, and why it needs approval.");
  await dialog.getByRole("button", { name: "Approve payment" }).click();
  await dialog.getByText("Final on chain.").waitFor(SETTLED);
  await camera.frame("approved", "Approved: proved in the browser, signed by the owner's key, final.");
  await dialog.getByRole("button", { name: "Done" }).click();
}

/** A webhook and its deliveries. */
export async function webhook({ page, camera, url }: Tour, key: string): Promise<void> {
  const receiver = await Receiver.start();
  try {
    await open(page, "Webhooks");
    await page.getByRole("link", { name: "Add webhook" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Endpoint URL").fill(receiver.url("/hook"));
    await camera.frame("webhook", "A webhook receives every event, or those you choose.");
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await dialog.getByRole("button", { name: "Copy secret" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expectStatus(pay(url, key, { to: "@demo", amount: "1" }), 201);
    await page.getByText("transfer.confirmed").last().waitFor(SETTLED);
    await camera.frame(
      "deliveries",
      "Every delivery is stored: request, response, attempts, and a button to send it again.",
    );
  } finally {
    await receiver.stop();
  }
}
