import type { LedgerView } from "@/sdk/api/api-types";
import type { Context } from "@/sdk/context/context";
import { localContext } from "@/sdk/local-context";
import { preparePayment } from "@/sdk/payments/payment";
import { planPayment } from "@/sdk/payments/payment-plan";
import { expectAnnounced } from "../announcements";
import { carry } from "./carry";
import { expectAccessible, shotOfState } from "./checks";
import { expect, sign, signedIn, test, unlock } from "./fixtures";
import { newOwner, type Owner, productURL } from "./owner";

/** Pays with an API key, through the service. */
const pay = ({ apiKey }: Owner, to: string) =>
  fetch(`${productURL}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ to, amount: "1" }),
  });

/** Returns whether the service knows that the newest available balance can't be decrypted. */
async function syncRequired(context: Context): Promise<boolean> {
  const session = await context.session();
  return (await session.get<LedgerView>("/api/ledger", { asset: "USDG" })).available.sync_required;
}

test("a note encrypted wrongly is named and not counted; an available balance changed without the service is encrypted again by unlocking", async ({
  page,
  browser,
  playwright,
  configDir,
  other,
}) => {
  const payer = await newOwner("bypass", configDir, { available: "30" });
  // Leaves gas for a transaction in the wallet.
  await payer.client.testHelpers.faucet({ asset: "ETH", amount: "0.1" });
  const payee = await newOwner("misled", configDir, { deposited: "5" });

  // A payment as another client could make it: its words are encrypted for someone else's key, and it bypasses the
  // service.
  const context = localContext({ url: productURL, walletKey: payer.walletKey, configDir });
  const plan = await planPayment(context, { to: payee.handle, amount: "7" });
  const stranger = await planPayment(context, { to: other.handle, amount: "7" });
  plan.payment.to = { ...plan.payment.to, viewingKey: stranger.payment.to.viewingKey };
  const document = await preparePayment(context, plan.payer, plan.payment);
  await carry(context, payer.walletKey, document);
  await expect.poll(() => syncRequired(context)).toBe(true);

  await signedIn(page, payer.walletKey, playwright);
  await page.goto("/test/balances");
  const usdg = page.getByRole("region", { name: "Total USDG" });
  await expect(usdg.getByText("Sync this balance to resume payments.")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "balances-sync");
  // Until then, a payment with a key fails and says why.
  const refused = await pay(payer, other.handle);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ error: { code: "sync_required" } });
  await unlock(page);
  await expect(usdg.locator("dl > div").first()).toContainText("23.00 USDG");
  await expect(usdg.getByText("Sync this balance to resume payments.")).toBeHidden();
  expect((await pay(payer, other.handle)).status).toBe(201);

  const second = await browser.newPage();
  await signedIn(second, payee.walletKey, playwright);
  await second.goto("/test/balances");
  await unlock(second);
  const theirs = second.getByRole("region", { name: "Total USDG" });
  await expect(
    theirs.getByText("1 received payment can't be decrypted: the sender encrypted the amount incorrectly."),
  ).toBeVisible();
  await expect(theirs).toContainText("Total USDG5.00 USDG");
  await expectAccessible(second);
  await shotOfState(second, "balances-unreadable");
  await second.close();
});

/**
 * Does what an attacker with the stolen payment key can do: pays one unit, and encrypts the payer's copy for a key
 * that no one has.
 */
async function poison(owner: Owner, to: Owner, configDir: string): Promise<Context> {
  const context = localContext({ url: productURL, walletKey: owner.walletKey, configDir });
  const stranger = await localContext({ url: productURL, walletKey: to.walletKey, configDir }).vault();
  const { payer, payment } = await planPayment(context, { to: to.handle, amount: "0.000001" });
  const vault = { ...(await context.vault()), viewingKey: stranger.viewingKey };
  const misled: Context = Object.create(context, { vault: { value: () => Promise.resolve(vault) } });
  await carry(context, owner.walletKey, await preparePayment(misled, payer, payment));
  return context;
}

test("an available balance that opens for no one is given up: what is lost is said exactly and agreed to, and the account pays again", async ({
  page,
  playwright,
  configDir,
  owner,
  other,
}) => {
  const robbed = await newOwner("robbed", configDir, { available: "10", deposited: "5" });
  await robbed.client.testHelpers.faucet({ asset: "ETH", amount: "0.1" });
  // A note that waits behind the available balance must survive.
  await owner.client.transfers.create({ to: robbed.handle, amount: "2", clientSigned: true });
  const context = await poison(robbed, other, configDir);
  await expect.poll(() => syncRequired(context)).toBe(true);

  const wallet = await signedIn(page, robbed.walletKey, playwright);
  await page.goto("/test/balances");
  await unlock(page);
  const usdg = page.getByRole("region", { name: "Total USDG" });
  await expect(usdg.getByText("This balance can't be decrypted.")).toBeVisible();
  await usdg.getByRole("link", { name: "See what is lost" }).click();
  const dialog = page.getByRole("dialog", { name: "Give up your available USDG balance?" });
  await expect(dialog).toContainText("You lose at most9.999999 USDG");
  await expect(dialog).toContainText("You keep: received2.00 USDG");
  await expect(dialog).toContainText("You keep: deposited5.00 USDG");
  await expect(dialog.getByRole("button", { name: "Keep balance" })).toBeFocused();
  const giveUp = dialog.getByRole("button", { name: "Give up this balance" });
  await expect(giveUp).toBeDisabled();
  await expectAccessible(page);
  await shotOfState(page, "abandon");

  // If the wallet declines, the dialog says so, nothing is given up, and the question is still there.
  await dialog.getByRole("checkbox", { name: "this balance is lost for good" }).check();
  await giveUp.click();
  await page
    .getByRole("dialog", { name: "Give up a balance", exact: true })
    .getByRole("button", { name: "Do not sign" })
    .click();
  await expect(dialog.getByRole("alert").filter({ hasText: "This did not complete." })).toContainText(
    "You did not sign.",
  );
  await expect(dialog).toContainText("You lose at most9.999999 USDG");
  expect(await syncRequired(context)).toBe(true);
  expect((await pay(robbed, other.handle)).status).toBe(409);

  await giveUp.click();
  await sign(page, "Give up a balance");
  const done = page.getByRole("dialog", { name: "Balance given up" });
  await expect(done).toContainText("The balance is empty, and you can use it again.");
  expect(wallet.requests.filter(({ params }) => JSON.stringify(params).includes("Abandon"))).toHaveLength(1);
  await shotOfState(page, "abandon-done");
  await done.getByRole("link", { name: "Make money available" }).click();
  const makeAvailable = page.getByRole("dialog", { name: "Make money available" });
  await makeAvailable.getByLabel("New available balance").fill("7");
  await makeAvailable.getByRole("button", { name: /^Set available balance to/ }).click();
  await sign(page, "Change the available balance");
  await expectAnnounced(page, "Your available balance is set.");
  await expect(usdg).toContainText("Total USDG7.00 USDG");
  expect((await pay(robbed, other.handle)).status).toBe(201);
});
