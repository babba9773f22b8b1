import type { Page } from "@playwright/test";
import { expectAccessible, shot } from "./checks";
import { expect, newOwner, type Owner, productURL, signedIn, test, unlock } from "./fixtures";

const OPEN = {
  daily_limit_usdg: 50,
  per_transaction_limit_usdg: 10,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["@demo"],
};

let counter = 0;

/** An agent of the owner with a key of its own and 20 USDG, made elsewhere. */
async function newAgent({ client, handle }: Owner, budget = "20") {
  counter += 1;
  const agent = await client.createAgent({ name: `bot-${process.pid}-${counter}`, policy: OPEN });
  await client.send({ to: agent.handle, amount: budget, prepared: true });
  const { api_key } = await client.createKey({ label: "Agent", agent: agent.handle });
  return { ...agent, owner: handle, apiKey: api_key };
}

/** A payment as the agent's program makes it. */
async function pay(key: string, amount: string, to = "@demo") {
  const answer = await fetch(`${productURL}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ to, amount }),
  });
  const body = (await answer.json()) as { transfer_id?: string; error?: { code: string; reason?: string } };
  return { transfer_id: body.transfer_id, status: answer.status, said: body.error?.reason ?? body.error?.code };
}

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const sentence = (page: Page) => page.getByRole("status").filter({ hasText: /^May / });

test("an agent made in the browser, with policy, money and key in one go, pays within its policy and no further", async ({
  ownerPage: page,
  owner,
  other,
}) => {
  test.setTimeout(240_000);
  const name = `procurement-${process.pid}-${Date.now().toString(36)}`;
  await page.goto("/test/agents/new");
  await unlock(page);
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText("Use 1 to 32 of the lower-case letters")).toBeVisible();
  await field(page, "Name").fill(name);
  await expect(sentence(page)).toHaveText("May not pay anybody: no recipient is allowed.");
  await field(page, "A day").fill("12");
  await field(page, "At a time").fill("5");
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

  await expect(page.getByText(`${owner.handle}/${name} is ready`)).toBeVisible({ timeout: 120_000 });
  const key =
    (await page
      .locator("code")
      .filter({ hasText: /^hc_test_/ })
      .textContent()) ?? "";
  const curl = page.locator("pre").filter({ hasText: "curl" });
  await expect(curl).toContainText(`Authorization: Bearer ${key}`);
  await expect(curl).toContainText(`{"to":"${other.handle}","amount":"1"}`);
  await expectAccessible(page);
  await shot(page, "agents-created");
  // The key is nowhere else: leaving before it is stored is asked for.
  await page.getByRole("link", { name: "Open the agent" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("checkbox", { name: /I have stored the key/ }).click();

  expect(await pay(key, "3.5", other.handle)).toMatchObject({ status: 201 });
  expect(await pay(key, "5.000001")).toMatchObject({ status: 403, said: "per_transaction_limit" });
  expect(await pay(key, "1", owner.handle)).toMatchObject({ status: 403, said: "recipient_not_allowed" });
  expect(await pay(key, "4.5")).toMatchObject({ status: 202 });

  await page.getByRole("link", { name: "Open the agent" }).click();
  await expect(page.getByRole("heading", { name: `${owner.handle}/${name}`, exact: false })).toBeVisible();
  await expect(page.getByText("1 payment waits for you")).toBeVisible();
  await expect(page.getByText("11.5 USDG", { exact: true })).toBeVisible();
  await expect(page.getByText("8.5 left")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "agents-detail");
  expect((await owner.client.listAgents()).agents.map(({ handle }) => handle)).toContain(`${owner.handle}/${name}`);
});

test("a draft is tried on past payments without sending anything; saved, it is enforced from the next payment on", async ({
  ownerPage: page,
  owner,
}) => {
  const agent = await newAgent(owner);
  for (const amount of ["2", "6", "1.5"]) {
    const { transfer_id = "" } = await pay(agent.apiKey, amount);
    await expect.poll(async () => (await owner.client.transfers({ limit: 1 })).transfers[0]?.status).toBe("confirmed");
    expect(transfer_id).toMatch(/^tr_/);
  }
  await page.goto("/test/agents");
  await unlock(page);
  await page.getByRole("link", { name: agent.handle }).first().click();
  await page.getByRole("button", { name: "Edit policy" }).click();
  const trial = page.getByRole("region", { name: "Try on past payments" });
  await expect(trial.getByRole("status")).toHaveText("Of the last 3 payments 3 would be allowed, 0 held and 0 denied.");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`));
  await field(page, "At a time").fill("5.432101");
  await field(page, "Ask me above").fill("1.765432");
  await field(page, "Recipients").fill("@canary-of-the-draft");
  await field(page, "Recipients").press("Enter");
  await expect(trial.getByRole("status")).toHaveText("Of the last 3 payments 1 would be allowed, 1 held and 1 denied.");
  await expect(trial.getByText("Over the limit at a time")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "agents-edit");
  expect(sent.filter((request) => /5\.432101|1\.765432|canary-of-the-draft/.test(request))).toEqual([]);
  expect(sent.filter((request) => !request.startsWith("GET "))).toEqual([]);

  // What was edited is not lost by a wrong click, the palette, or Back; nor twice Back in a row.
  const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
  const stay = async () => {
    await leaving.getByRole("button", { name: "Cancel" }).click();
    await expect(leaving).toBeHidden();
    await expect(page).toHaveURL(new RegExp(agent.account_id));
  };
  await page.getByRole("main").getByRole("link", { name: "Agents", exact: true }).click();
  await stay();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to or do" }).fill("webhooks");
  await page.keyboard.press("Enter");
  await stay();
  const back = () => page.evaluate(() => history.back());
  for (const times of [1, 2]) {
    for (let each = 0; each < times; each += 1) await back();
    await stay();
  }
  await expect(field(page, "At a time")).toHaveValue("5.432101");
  expect(await pay(agent.apiKey, "6")).toMatchObject({ status: 201 });

  await field(page, "A day").fill("1,000");
  await expect(page.getByText("1 field needs correcting")).toBeVisible();
  await field(page, "A day").fill("50");
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("dialog", { name: "Save this policy?" });
  await expect(review.locator("dl > div")).toHaveText([
    /At a time.*10 USDG.*5\.432101 USDG/,
    /Ask me above.*10 USDG.*1\.765432 USDG/,
    /Recipients.*@canary-of-the-draft added/,
  ]);
  await expectAccessible(page);
  await shot(page, "agents-review");
  const [patch] = await Promise.all([
    page.waitForRequest((request) => request.method() === "PATCH"),
    review.getByRole("button", { name: "Save policy" }).click(),
  ]);
  expect(Object.keys(patch.postDataJSON()).sort()).toEqual([
    "allowed_recipients",
    "hitl_threshold_usdg",
    "per_transaction_limit_usdg",
  ]);
  await expect(review).toBeHidden();
  expect(await pay(agent.apiKey, "6")).toMatchObject({ status: 403, said: "per_transaction_limit" });
  expect(await pay(agent.apiKey, "1")).toMatchObject({ status: 201 });
});

test("one confirmed action stops all agents at once and says so of each; they go on when resumed; money comes back", async ({
  page,
  playwright,
  configDir,
}) => {
  test.setTimeout(240_000);
  const owner = await newOwner("fleet", configDir, { budget: "60" });
  const agents = [await newAgent(owner), await newAgent(owner)];
  await signedIn(page, owner.walletKey, playwright);
  await page.goto("/test/agents");
  await expectAccessible(page);
  await shot(page, "agents-locked");
  await unlock(page);
  const list = page.getByRole("list", { name: "Agents" });
  await expect(list.getByText("20 USDG", { exact: true })).toHaveCount(2, { timeout: 30_000 });
  await expect(list.getByText("50 left")).toHaveCount(2);
  await shot(page, "agents-open");

  await page.getByRole("button", { name: "Pause all" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause all agents?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Pause all" }).click();
  await expect(dialog.getByText("Paused", { exact: true })).toHaveCount(2);
  await shot(page, "agents-pause-all");
  for (const { apiKey } of agents) expect(await pay(apiKey, "1")).toMatchObject({ status: 403, said: "agent_paused" });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(list.getByText("Paused", { exact: true })).toHaveCount(2);

  await page.getByRole("button", { name: "Resume all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume all" }).click();
  await expect(page.getByRole("dialog").getByText("Resumed", { exact: true })).toHaveCount(2);
  for (const { apiKey } of agents) expect(await pay(apiKey, "1")).toMatchObject({ status: 201 });
  await page.keyboard.press("Escape");

  await page.goto(`/test/agents/${agents[0]?.account_id}`);
  await unlock(page);
  await page.getByRole("button", { name: "Take back" }).click();
  const back = page.getByRole("dialog", { name: /^Take back from/ });
  await back.getByLabel("Amount", { exact: true }).fill("500");
  await expect(back.getByText("The agent's budget: 19 USDG")).toBeVisible();
  await back.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(back.getByText("The agent's budget does not cover this.")).toBeVisible();
  await back.getByRole("button", { name: "Take all" }).click();
  await expectAccessible(page);
  await shot(page, "agents-take-back");
  await back.getByRole("button", { name: "Take back", exact: true }).click();
  await expect(back.getByText("Final on chain.")).toBeVisible({ timeout: 60_000 });
  await back.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("0 USDG", { exact: true }).first()).toBeVisible();
  expect(await pay(agents[0]?.apiKey ?? "", "1")).toMatchObject({ status: 402, said: "insufficient_balance" });
  expect(await owner.client.decryptBalance()).toMatchObject({ budget: "39" });
});

test("agents and policies are in the page without JavaScript; another owner's agent is not there and cannot be changed", async ({
  browser,
  owner,
  other,
  playwright,
}) => {
  const agent = await newAgent(owner, "1");
  const before = await owner.client.getPolicy(agent.handle);
  const read = async (key: `0x${string}`, path: string, part = "#content") => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signedIn(page, key, playwright);
    const answer = await page.goto(path);
    const text = (await page.locator(part).textContent()) ?? "";
    const change = async () => {
      const tried = await page.request.patch(`/api/agents/${agent.account_id}/spend-policy?network=test`, {
        data: { daily_limit_usdg: 1_000 },
        headers: { origin: productURL },
      });
      return tried.status();
    };
    return { status: answer?.status(), text, change, close: () => context.close() };
  };
  const foreign = await read(other.walletKey, `/test/agents/${agent.account_id}`, "html");
  expect(foreign.status).toBe(404);
  expect(foreign.text).not.toContain(agent.handle);
  expect(await foreign.change()).toBe(403);
  await foreign.close();
  const theirs = await read(other.walletKey, "/test/agents");
  expect(theirs.text).toContain("No agents yet");
  expect(theirs.text).not.toContain(agent.handle);
  await theirs.close();
  expect(await owner.client.getPolicy(agent.handle)).toEqual(before);

  const says = "May spend up to 50 USDG a day, 10 at a time, to @demo; you are never asked.";
  const list = await read(owner.walletKey, "/test/agents");
  expect(list.text).toContain(says);
  await list.close();
  const own = await read(owner.walletKey, `/test/agents/${agent.account_id}`);
  expect(own.status).toBe(200);
  expect(own.text).toContain(says);
  expect(own.text).toContain("Ask me above");
  // The same request is the owner's right.
  expect(await own.change()).toBe(200);
  await own.close();
});

test("an account without agents is told what one is", async ({ page, playwright, other }) => {
  await signedIn(page, other.walletKey, playwright);
  await page.goto("/test/agents");
  await expect(page.getByRole("heading", { name: "No agents yet" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "agents-empty");
});
