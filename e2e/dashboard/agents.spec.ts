import { expectAnnounced } from "../announcements";
import { awayFromMidnight } from "../away-from-midnight";
import { field, newAgent, pay, sentence } from "./agents-fixtures";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, reviewAndPay, signedIn, test, unlock } from "./fixtures";
import { newOwner } from "./owner";

test("an agent created in the browser, with policy, money and key in one go, pays within its policy and no further", async ({
  ownerPage: page,
  owner,
  other,
}) => {
  await awayFromMidnight();
  const name = `procurement-${process.pid}-${Date.now().toString(36)}`;
  await page.goto("/test/agents/new");
  await unlock(page);
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText("Use 1 to 32 characters: lowercase letters")).toBeVisible();
  await field(page, "Name").fill(name);
  await expect(sentence(page)).toHaveText("May not pay anyone: no recipient is allowed.");
  await field(page, "Per day").fill("12");
  await field(page, "Per payment").fill("5");
  await field(page, "Ask me above").fill("4");
  await field(page, "Recipients").fill("not a name, ");
  await field(page, "Recipients").press("Enter");
  await expect(page.getByText(/^a: Name an @handle/)).toBeVisible();
  for (const chip of ["@not", "a", "@name"]) await page.getByRole("button", { name: `Remove ${chip}` }).click();
  await field(page, "Recipients").fill(`${other.handle},@demo`);
  await field(page, "Recipients").press("Enter");
  await expect(sentence(page)).toHaveText(
    `May spend up to 12 USDG a day, 5 at a time, to ${other.handle} and @demo; above 4 you are asked.`,
  );
  await page.getByRole("textbox", { name: /^Fund it with/ }).fill("15");
  await expectAccessible(page);
  await shot(page, "agents-new");
  await page.getByRole("button", { name: "Create agent" }).click();

  await expect(page.getByText(`${owner.handle}/${name} is ready`)).toBeVisible({ timeout: 60_000 });
  const key =
    (await page
      .locator("code")
      .filter({ hasText: /^hc_test_/ })
      .textContent()) ?? "";
  const curl = page.locator("pre").filter({ hasText: "curl" });
  await expect(curl).toContainText(`Authorization: Bearer ${key}`);
  await expect(curl).toContainText(`{"to":"${other.handle}","amount":"1"}`);
  await expectAccessible(page);
  await shotOfState(page, "agents-created");
  // The key exists nowhere else, so leaving before it is stored needs a confirmation.
  await page.getByRole("link", { name: "Open the agent" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay on this page" }).click();
  await page.getByRole("checkbox", { name: /I have stored the key/ }).click();

  expect(await pay(key, "3.5", other.handle)).toMatchObject({ status: 201 });
  expect(await pay(key, "5.000001")).toMatchObject({ status: 403, said: "per_transaction_limit" });
  expect(await pay(key, "1", owner.handle)).toMatchObject({ status: 403, said: "recipient_not_allowed" });
  expect(await pay(key, "4.5")).toMatchObject({ status: 202 });

  await page.getByRole("link", { name: "Open the agent" }).click();
  await expect(page.getByRole("heading", { name: `${owner.handle}/${name}`, exact: false })).toBeVisible();
  await expect(page.getByText("1 payment waits for you")).toBeVisible();
  await expect(page.getByText("11.50 USDG", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Send them to your account" }).click();
  await expectAnnounced(page, "Refunds changed");
  expect(await owner.client.agents.refunds(`${owner.handle}/${name}`)).toMatchObject({ refunds: "owner" });
  await expect(page.getByText("8.50 left")).toBeVisible();
  // Shows only this agent's spending, not that of the account or other agents.
  const spending = page.getByRole("table", { name: "Spending in USDG by payer" });
  await expect(spending.getByRole("row")).toHaveCount(2);
  await expect(spending.getByRole("row").last()).toContainText(`${owner.handle}/${name}`);
  await expect(spending.getByRole("row").last()).toContainText("3.5");
  await expectAccessible(page);
  await shot(page, "agents-detail");
  expect((await owner.client.agents.list()).agents.map(({ handle }) => handle)).toContain(`${owner.handle}/${name}`);
});

test("one confirmed action stops all agents at once and says so of each; they continue when resumed; money comes back", async ({
  page,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("fleet", configDir, { available: "60" });
  const agents = [await newAgent(owner), await newAgent(owner)];
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/agents");
  await expectAccessible(page);
  await shot(page, "agents-locked");
  await unlock(page);
  const list = page.getByRole("list", { name: "Agents" });
  await expect(list.getByText("20.00 USDG", { exact: true })).toHaveCount(2);
  await expect(list.getByText("50.00 left")).toHaveCount(2);
  await shotOfState(page, "agents-open");

  await page.getByRole("button", { name: "Pause all" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause all agents?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Pause all" }).click();
  await expect(dialog.getByText("Paused", { exact: true })).toHaveCount(2);
  await shotOfState(page, "agents-pause-all");
  for (const { apiKey } of agents) expect(await pay(apiKey, "1")).toMatchObject({ status: 403, said: "agent_paused" });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(list.getByText("Paused", { exact: true })).toHaveCount(2);

  await page.getByRole("button", { name: "Resume all" }).click();
  const listed = page.getByRole("dialog").getByRole("listitem");
  await expect(listed).toHaveCount(agents.length);
  const order = await listed.allTextContents();
  expect(order.toSorted()).toEqual(agents.map(({ handle }) => handle).toSorted());
  await page.getByRole("dialog").getByRole("button", { name: "Resume all" }).click();
  // The wallet signs for each agent in turn.
  const signing = page.getByRole("dialog", { name: "Resume an agent" });
  for (const handle of order) {
    await expect(signing).toContainText(`Agent${handle}`);
    await signing.getByRole("button", { name: "Sign", exact: true }).click();
  }
  await expect(signing).toBeHidden();
  await expect(page.getByRole("dialog").getByText("Resumed", { exact: true })).toHaveCount(2);
  await page.keyboard.press("Escape");

  await page.goto(`/test/agents/${agents[0]?.account_id}`);
  await unlock(page);
  await page.getByRole("button", { name: "Take back" }).click();
  const back = page.getByRole("dialog", { name: /^Take back from/ });
  await back.getByLabel("Amount", { exact: true }).fill("500");
  await expect(back.getByText("The agent's available balance: 20.00 USDG")).toBeVisible();
  await back.getByRole("button", { name: "Review", exact: true }).click();
  await expect(back.getByText("The agent's available balance does not cover this.")).toBeVisible();
  await back.getByRole("button", { name: "Take all" }).click();
  await expectAccessible(page);
  await shotOfState(page, "agents-take-back");
  await reviewAndPay(page, "Take back 20.00 USDG");
  await expect(back.getByText("Final on chain.")).toBeVisible();
  await back.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("0.00 USDG", { exact: true }).first()).toBeVisible();
  expect(await pay(agents[0]?.apiKey ?? "", "1")).toMatchObject({ status: 402, said: "insufficient_balance" });
  expect(await owner.client.balances.decrypt()).toMatchObject({ available: "40" });
});
