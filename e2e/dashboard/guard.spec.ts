import { expectAnnounced } from "../announcements";
import { awayFromMidnight } from "../away-from-midnight";
import { field, newAgent, pay } from "./agents-fixtures";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, reviewAndPay, sign, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";
import { SECURITY } from "./settings-fixtures";

test("an owner turns Guard on, gives an agent a policy, is asked by it, and ends it", async ({
  page,
  playwright,
  configDir,
}) => {
  await awayFromMidnight();
  const owner = await newOwner("guard", configDir, { available: "60" });
  const agent = await newAgent(owner, "30");
  await signedIn(page, owner.walletKey, playwright);
  await page.goto(`/test/agents/${agent.account_id}`);
  await unlock(page);
  const policy = page.locator("section").filter({ has: page.getByRole("heading", { name: "Policy", exact: true }) });
  await expect(policy.getByText("Enforced by the chain")).toHaveCount(5);
  await expect(policy.getByText("Enforced by the service")).toHaveCount(2);
  await policy.getByRole("link", { name: "Turn it on" }).click();

  const guard = page.getByRole("switch", { name: "Guard", exact: true });
  await guard.click();
  await sign(page, "Turn Guard on");
  await expect(guard).toBeChecked();
  await expectAnnounced(page, "Guard is on");
  await expectAccessible(page);
  await shot(page, "guard-on");

  await page.goto(`/test/agents/${agent.account_id}`);
  await unlock(page);
  await expect(policy.getByText("Guard is on: only your wallet can change this policy.")).toBeVisible();
  await page.getByRole("link", { name: "Edit policy" }).click();
  await field(page, "Per day").fill("12");
  await field(page, "Ask me above").fill("5");
  await field(page, "Recipients").fill("*.shop.test");
  await field(page, "Recipients").press("Enter");
  // With a wildcard, the chain no longer checks recipients.
  await expect(page.getByText("Enforced by the service")).toHaveCount(4);
  await page.getByRole("button", { name: "Remove *.shop.test" }).click();
  await expect(page.getByText("Enforced by the service")).toHaveCount(3);
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("dialog", { name: "Save this policy?" });
  await review.getByRole("button", { name: "Save policy" }).click();
  // With guard on, the wallet signs even a change that only tightens.
  await sign(page, "Set the agent's policy");
  await expect(review).toBeHidden();

  expect(await pay(agent.apiKey, "6")).toMatchObject({ status: 202 });
  await expect(page.getByText("1 payment waits for you")).toBeVisible();
  await shot(page, "agents-guarded");

  await page.getByRole("button", { name: "End agent" }).click();
  const ending = page.getByRole("dialog", { name: `End ${agent.handle}?` });
  await expect(ending.getByText("The payment that waits for you is rejected.")).toBeVisible();
  await expect(ending.getByText("30.00 USDG")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "agents-end");
  await ending.getByRole("button", { name: "End agent" }).click();
  const ended = page.getByRole("dialog", { name: "Agent ended" });
  await expect(ended.getByText(`${agent.handle} pays nothing any more.`)).toBeVisible();
  expect(await pay(agent.apiKey, "1")).toMatchObject({ status: 401, said: "unauthorized" });
  await shotOfState(page, "agents-ended-dialog");
  await ended.getByRole("button", { name: "Take money back" }).click();
  const back = page.getByRole("dialog", { name: /^Take back from/ });
  await back.getByRole("button", { name: "Take all" }).click();
  await reviewAndPay(page, "Take back 30.00 USDG");
  await sign(page, "Move money to or from an agent");
  await expect(back.getByText("Final on chain.")).toBeVisible();
  await back.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("This agent has ended.")).toBeVisible();
  await expect(page.getByText("Its balance is empty.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Take back" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await expectAccessible(page);
  await shot(page, "agents-ended");
  expect(await owner.client.balances.decrypt()).toMatchObject({ available: "60" });
});

test("limits of an account's own keys are set in the browser; what a key asks for beyond them, the wallet pays", async ({
  page,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("limits", configDir, { available: "50" });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto(SECURITY);
  await unlock(page);
  await page.getByRole("link", { name: "Set limits" }).click();
  await field(page, "Per day").fill("20");
  await field(page, "Per payment").fill("10");
  await field(page, "Ask me above").fill("5");
  await field(page, "Recipients").fill("@demo");
  await field(page, "Recipients").press("Enter");
  await expectAccessible(page);
  await shot(page, "limits-edit");
  await page.getByRole("button", { name: "Review", exact: true }).click();
  const review = page.getByRole("dialog", { name: "Save these limits?" });
  await review.getByRole("button", { name: "Save limits" }).click();
  await sign(page, "Set the limits of your keys");
  await expect(review).toBeHidden();
  await expect(page.getByRole("link", { name: "Edit limits" })).toBeVisible();
  await expect(page.getByText("The limits of your keys need Guard.")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Guard", exact: true })).toBeDisabled();
  await shot(page, "limits-set");

  expect(await pay(owner.apiKey, "5")).toMatchObject({ status: 201 });
  expect(await pay(owner.apiKey, "7")).toMatchObject({ status: 202 });
  await page.goto("/test/approvals");
  await unlock(page);
  await page.getByRole("list", { name: "Payments that wait" }).getByRole("link").click();
  const asked = page.getByRole("dialog");
  await expect(asked.getByRole("heading", { name: "Your key asks to pay @demo" })).toBeVisible();
  await expect(asked.getByText("is above 5.00 USDG, the most your keys pay without your wallet.")).toBeVisible();
  await shotOfState(page, "approvals-own");
  await expect(asked.getByText("your wallet signs it")).toBeVisible();
  await asked.getByRole("button", { name: "Approve payment" }).click();
  const beyond = page.getByRole("dialog", { name: "Pay beyond the limits" });
  await expect(beyond.getByRole("definition")).toHaveText(["7.00 USDG", "Your available balance", "@demo"]);
  await sign(page, "Pay beyond the limits");
  await expect(asked.getByText("Final on chain.")).toBeVisible();

  // Of a payout, the wallet signs one batch after another. Each dialog states what its batch pays.
  await page.goto("/test/payouts/new");
  await unlock(page);
  const rows = Array.from({ length: 17 }, (_, at) => `@demo,0.25,wages-${at + 1}`);
  await page.getByRole("textbox", { name: "Rows" }).fill(["to,amount,reference", ...rows].join("\n"));
  await page.getByRole("button", { name: "Check rows" }).click();
  await page.getByRole("button", { name: "Approve 17 payments" }).click();
  await page.getByRole("button", { name: "Pay 17 payments" }).click();
  const batch = page.getByRole("dialog", { name: "Pay several recipients" });
  await expect(batch.getByRole("definition")).toHaveText([
    "1 of 2",
    "16",
    "4.00 USDG together",
    "Your available balance",
    "@demo, @demo, @demo and 13 more",
  ]);
  await shotOfState(page, "payouts-batch");
  await batch.getByRole("button", { name: "Do not sign" }).click();
  // Declining stops the payout. It is not taken for a fault of its rows.
  await expect(page.getByText("You did not sign. What is paid stays paid, and no row is paid twice.")).toBeVisible();
  await expect(page.getByRole("definition").getByText("17", { exact: true })).toBeVisible();

  await page.goto(SECURITY);
  await unlock(page);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove limits" }).click();
  await sign(page, "Remove the limits of your keys");
  // Drops what was counted of USDG.
  await sign(page, "Change the available balance");
  await expect(page.getByRole("link", { name: "Set limits" })).toBeVisible();
});
