import { readFile, writeFile } from "node:fs/promises";
import type { Download } from "@playwright/test";
import { ok } from "../halcyon";
import { expectAccessible, shot } from "./checks";
import { choose, expect, sign, signedIn, test, unlock } from "./fixtures";
import { confirm, SECURITY } from "./settings-fixtures";
import { WALLET_NAME } from "./wallet";

// One account for both tests.
test.describe.configure({ mode: "default" });

test("a copy of the key can be decrypted with its recovery code, and with no other, here and at a terminal; the code stays in the browser", async ({
  page,
  settled,
  playwright,
}, testInfo) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  const wallet = await signedIn(page, settled.walletKey, playwright);
  await page.goto(SECURITY);
  await unlock(page);
  await page.getByRole("button", { name: "Add backup" }).click();
  const adding = page.getByRole("dialog", { name: "Add a backup" });
  await adding.getByLabel("Label").fill("Safe at home");
  await expectAccessible(page);
  await adding.getByRole("button", { name: "Create a recovery code" }).click();
  const code = (await adding.locator("code").textContent()) ?? "";
  expect(code).toMatch(/^([0-9A-Z]{4}-){6}[0-9A-Z]{4}$/);
  await adding.getByRole("button", { name: "I have stored it" }).click();
  const field = adding.getByLabel(/^Type group/);
  const group = Number(/group (\d)/.exec((await adding.getByText(/^Type group/).textContent()) ?? "")?.[1]);
  await field.fill("!!!!");
  await adding.getByRole("button", { name: "Add backup" }).click();
  await expect(adding.getByText(/^That is not group/)).toBeVisible();
  await field.fill(code.split("-")[group - 1] ?? "");
  await adding.getByRole("button", { name: "Add backup" }).click();
  await sign(page, "Decrypt your key for the backup");

  const testing = page.getByRole("dialog", { name: "Test Safe at home" });
  const wrong = `${code.startsWith("7") ? "8" : "7"}${code.slice(1)}`;
  await testing.getByLabel("Recovery code").fill(wrong);
  await testing.getByRole("button", { name: "Test backup" }).click();
  await expect(testing.getByText(/not a recovery code/)).toBeVisible();
  await testing.getByLabel("Recovery code").fill(code.toLowerCase().replaceAll("-", " "));
  await testing.getByRole("button", { name: "Test backup" }).click();
  await expect(testing.getByText("The backup works.")).toBeVisible();
  await expectAccessible(page);
  await testing.getByRole("button", { name: "Done" }).click();

  // The backup also unlocks, in case the wallet no longer signs the same way.
  const asked = wallet.requests.length;
  await page.getByRole("button", { name: /^Unlocked/ }).click();
  await page.getByRole("button", { name: /^Locked/ }).click();
  const unlocking = page.getByRole("dialog", { name: "Unlock amounts" });
  await unlocking.getByRole("button", { name: "A recovery code" }).click();
  await unlocking.getByLabel("Recovery code").fill(code);
  await expectAccessible(page);
  await unlocking.getByRole("button", { name: "Unlock", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
  expect(wallet.requests.slice(asked).filter(({ method }) => method === "eth_signTypedData_v4")).toEqual([]);

  const row = page.getByRole("row", { name: /Safe at home/ });
  const actions = row.getByRole("button", { name: /Actions/ });
  // The message about it appears where the menu of a low row opens, and covers none of its actions. It goes by itself,
  // but not from under the pointer, which may come too late on a busy machine: then it is downloaded again.
  const downloads: Download[] = [];
  page.on("download", (each) => downloads.push(each));
  await expect(async () => {
    const message = page.getByRole("dialog", { name: "Backup saved" }).last();
    const saved = message.hover({ position: { x: 4, y: 4 }, timeout: 30_000 });
    await Promise.all([page.waitForEvent("download"), choose(actions, "Download"), saved]);
  }).toPass();
  const [download] = downloads;
  if (!download) throw new Error("nothing was downloaded");
  await actions.evaluate((button) => button.scrollIntoView({ block: "end" }));
  await actions.press("Enter");
  const covers = (item: Element) => {
    const { x, y, width, height } = item.getBoundingClientRect();
    const [top, ...below] = document.elementsFromPoint(x + width / 2, y + height / 2);
    return { itself: item.contains(top ?? null), message: below.some((one) => one.closest("[role=dialog]")) };
  };
  const last = page.getByRole("menuitem", { name: "Delete" });
  await expect.poll(() => last.evaluate(covers)).toEqual({ itself: true, message: true });
  await page.keyboard.press("Escape");
  const file = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(file).toMatchObject({ kind: "recovery_code", label: "Safe at home", chain_id: 46630 });
  expect(file.encrypted).toMatch(/^0x[0-9a-f]{150}$/);
  await shot(page, "security");
  // Without wallet and service: only the saved file, its code and a node.
  const codeFile = testInfo.outputPath("code.txt");
  await writeFile(codeFile, `${code}\n`);
  const files = ["--backup-file", await download.path(), "--recovery-code-file", codeFile];
  const chain = ["--rpc", process.env.RPC_URL_46630 ?? "", "--ledger", file.ledger];
  const { balances } = await ok<{ balances: object[] }>({ url: "http://127.0.0.1:9" }, "recover", ...chain, ...files);
  expect(balances).toEqual([{ asset: "USDG", amount: expect.stringMatching(/^(20|19|18)$/) }]);

  const [first = ""] = code.split("-");
  for (const each of [code, code.replaceAll("-", ""), `"${first}`]) {
    expect(sent.filter((request) => request.includes(each))).toEqual([]);
  }
  await choose(actions, "Delete");
  await confirm(page, "Delete Safe at home?", "Delete backup");
  await expect(row).toBeHidden();
});

test("a second wallet encrypts a copy, decrypts it again and unlocks; the account's wallet is used again afterwards", async ({
  page,
  settled,
  playwright,
}) => {
  const wallet = await signedIn(page, settled.walletKey, playwright);
  await page.goto(SECURITY);
  await unlock(page);
  await page.getByRole("button", { name: "Add backup" }).click();
  const adding = page.getByRole("dialog", { name: "Add a backup" });
  await adding.getByText("A second wallet").click();
  await adding.getByLabel("Label").fill("Hardware wallet");
  await adding.getByRole("button", { name: "Continue with wallets" }).click();
  await sign(page, "Decrypt your key for the backup");

  const encrypting = page.getByRole("dialog", { name: "Encrypt the copy for another wallet" });
  // The account's own wallet does not count as a second one.
  await encrypting.getByRole("button", { name: WALLET_NAME }).click();
  await expect(encrypting.getByText("This is the account's own wallet.")).toBeVisible();
  await expect(encrypting.getByRole("button", { name: "Sign", exact: true })).toBeDisabled();
  await encrypting.getByRole("button", { name: "Use another" }).click();
  await encrypting.getByRole("button", { name: /Test wallet in this browser/ }).click();
  await expectAccessible(page);
  await encrypting.getByRole("button", { name: "Sign", exact: true }).click();
  await sign(page, "The same signature, once more");

  const testing = page.getByRole("dialog", { name: "Test Hardware wallet" });
  await testing.getByRole("button", { name: "Test backup" }).click();
  const opening = page.getByRole("dialog", { name: "Decrypt the backup" });
  await opening.getByRole("button", { name: /Test wallet in this browser/ }).click();
  await opening.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(testing.getByText("The backup works.")).toBeVisible();
  await testing.getByRole("button", { name: "Done" }).click();

  const before = wallet.requests.length;
  const signed = () => wallet.requests.slice(before).some(({ method }) => method === "eth_signTypedData_v4");
  await page.getByRole("button", { name: /^Unlocked/ }).click();
  await page.getByRole("button", { name: /^Locked/ }).click();
  const unlocking = page.getByRole("dialog", { name: "Unlock amounts" });
  await unlocking.getByRole("button", { name: "A second wallet" }).click();
  await expectAccessible(page);
  await unlocking.getByRole("button", { name: "Unlock", exact: true }).click();
  await opening.getByRole("button", { name: /Test wallet in this browser/ }).click();
  await opening.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Unlocked/ })).toBeVisible();
  expect(signed()).toBe(false);

  await page.getByRole("button", { name: /^Unlocked/ }).click();
  await unlock(page);
  expect(signed()).toBe(true);
});
