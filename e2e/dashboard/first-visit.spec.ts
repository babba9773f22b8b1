import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { privateKeyToAddress } from "viem/accounts";
import { expectAccessible, shot } from "./checks";
import { choose, expect, sign, test, unlock } from "./fixtures";
import { uniqueHandle } from "./owner";

/** Runs a command as a person would who pastes it into a terminal. */
async function paste(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)("bash", ["-c", line]);
  return JSON.parse(stdout);
}

/** What people read aloud in two minutes: 225 words a minute. */
const MOST_WORDS = 450;
/** With the one that leads from the landing page to the sign-in. */
const MOST_PRESSES = 12;

/** Counts what someone presses, and the words that someone reads who reads everything, each line once. */
class Reader {
  private readonly lines = new Set<string>();
  words = 0;
  presses = 0;

  async press(button: Locator): Promise<void> {
    this.presses++;
    await button.click();
  }

  async read(where: Locator): Promise<void> {
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not read
    for (const line of (await where.innerText()).split("\n").map((text) => text.trim())) {
      if (line === "" || this.lines.has(line)) continue;
      this.lines.add(line);
      this.words += line.split(/\s+/).length;
    }
  }

  /** Reads the dialog that explains a signature, and signs. */
  async sign(page: Page, title: string): Promise<void> {
    await this.read(page.getByRole("dialog", { name: title, exact: true }));
    this.presses++;
    await sign(page, title);
  }
}

test("a newcomer without an extension makes a first payment with four presses to sign and twelve in all, in words for two minutes; no secret leaves the browser, and the wallet can", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const sent: string[] = [];
  context.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));

  const reader = new Reader();
  const main = page.getByRole("main");
  await page.goto("/");
  await reader.press(page.getByRole("link", { name: "Sign in with a wallet" }));
  await expect(page.getByRole("button", { name: /Test wallet in this browser/ })).toBeVisible();
  await reader.read(main);
  await reader.press(page.getByRole("button", { name: /Test wallet in this browser.*For this machine only/ }));
  await page.waitForURL(/\/test\/welcome$/);
  await expect(page.getByLabel("Handle")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "welcome-handle");
  await reader.read(main);
  const handle = uniqueHandle("newcomer");
  await page.getByLabel("Handle").fill(handle);
  await reader.press(page.getByRole("button", { name: "Create account" }));

  await expect(page.getByRole("button", { name: "I have stored it" })).toBeVisible();
  const code = ((await page.locator("code").textContent()) ?? "").trim();
  expect(code).toMatch(/^([0-9A-Z]{4}-){6}[0-9A-Z]{4}$/);
  await reader.read(main);
  await reader.press(page.getByRole("button", { name: "I have stored it" }));
  const group = page.getByLabel(/Type group \d of 7/);
  const asked = Number(
    /group (\d)/.exec((await page.locator("label", { hasText: "Type group" }).textContent()) ?? "")?.[1],
  );
  await reader.read(main);
  await group.fill("OOOO");
  await page.getByRole("button", { name: "Enroll", exact: true }).click();
  await expect(page.getByText(`That is not group ${asked}`)).toBeVisible();
  await group.fill(code.split("-")[asked - 1] ?? "");
  await reader.press(page.getByRole("button", { name: "Enroll", exact: true }));
  await reader.sign(page, "Create your account's key");
  await reader.sign(page, "Enroll your account");
  await expect(page.getByRole("button", { name: "Verify identity" })).toBeVisible();
  await reader.read(main);
  await reader.press(page.getByRole("button", { name: "Verify identity" }));

  // A reloaded page continues at its step. The keys were only in memory.
  await expect(page.getByRole("button", { name: "Get test money" })).toBeVisible();
  await reader.read(main);
  await page.reload();
  await unlock(page);
  await reader.press(page.getByRole("button", { name: "Get test money" }));
  const signing = page.getByRole("dialog", { name: "Deposit", exact: true });
  // In figures for people: the wallet shows units and hashes.
  for (const fact of ["Amount100.00 USDG", "FromYour wallet", "ToYour deposited balance"]) {
    await expect(signing.locator("dl > div").filter({ hasText: fact })).toBeVisible();
  }
  await expectAccessible(page);
  await reader.sign(page, "Deposit");
  await reader.sign(page, "Change the available balance");

  const pay = page.getByRole("button", { name: "Pay 1.50 USDG to @demo" });
  await expect(pay).toBeVisible();
  await expectAccessible(page);
  await shot(page, "welcome-payment");
  await reader.read(main);
  await reader.press(pay);
  await expect(page.getByText("Your payment arrived.")).toBeVisible();
  await reader.read(main);
  test
    .info()
    .annotations.push(
      { type: "words to read", description: String(reader.words) },
      { type: "presses", description: String(reader.presses) },
    );
  expect(reader.presses).toBeLessThanOrEqual(MOST_PRESSES);
  // The count is of a page that is read: without it, nothing would be too much.
  expect(reader.words).toBeGreaterThan(300);
  expect(reader.words).toBeLessThanOrEqual(MOST_WORDS);
  await page.getByRole("button", { name: "Create API key" }).click();
  const key = ((await page.locator("code", { hasText: /^hc_test_/ }).textContent()) ?? "").trim();
  await page.getByRole("button", { name: "Copy key" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  const line = (await page.locator("pre code").textContent()) ?? "";
  expect(line).toContain(key);
  await expectAccessible(page);
  // The command does the same as the button.
  expect(await paste(line)).toMatchObject({ from: `@${handle}`, to: "@demo", asset: "USDG", confidential: true });

  await page.getByRole("link", { name: "Go to your dashboard" }).click();
  const navigation = page.getByRole("navigation", { name: "Dashboard" });
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByRole("main").getByText("@demo").first()).toBeVisible();
  await navigation.getByRole("link", { name: "Balances", exact: true }).click();
  await expect(page.getByText("97.00 USDG").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();

  const walletKey = await page.evaluate(() => localStorage.getItem("halcyon.test-wallet"));
  const everything = sent.join("\n").toLowerCase();
  for (const secret of [walletKey?.slice(2), key, code, code.replaceAll("-", "")]) {
    expect(secret).toBeTruthy();
    expect(everything).not.toContain(secret?.toLowerCase());
  }

  // The test wallet's key can be taken elsewhere: the command line finds the same account.
  await choose(page.getByRole("button", { name: `@${handle}` }), "Sign out");
  await page.waitForURL(/\/sign-in/);
  await page.getByText("Take the test wallet elsewhere").click();
  await page.getByRole("button", { name: "Show key" }).click();
  expect(((await page.locator("details code").textContent()) ?? "").trim()).toBe(walletKey);
  const address = await page.locator("details .sr-only").first().textContent();
  expect(privateKeyToAddress(walletKey as `0x${string}`)).toBe(address);
  await expectAccessible(page);
});
