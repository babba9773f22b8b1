import { field, newAgent, pay } from "./agents-fixtures";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, sign, test, unlock } from "./fixtures";

test("a draft is tried on past payments without sending anything; saved, it is enforced from the next payment on", async ({
  ownerPage: page,
  owner,
}) => {
  const agent = await newAgent(owner);
  for (const amount of ["2", "6", "1.5"]) {
    const { transfer_id = "" } = await pay(agent.apiKey, amount);
    await expect
      .poll(async () => (await owner.client.transfers.listDecrypted({ limit: 1 })).transfers[0]?.status)
      .toBe("confirmed");
    expect(transfer_id).toMatch(/^tr_/);
  }
  await page.goto("/test/agents");
  await unlock(page);
  await page.getByRole("link", { name: agent.handle }).first().click();
  await page.getByRole("link", { name: "Edit policy" }).click();
  await expect(page).toHaveURL(new RegExp(`${agent.account_id}/policy$`));
  // The server renders the form: it is there before, and without, any script.
  expect(await (await page.request.get(page.url())).text()).toMatch(/<label[^>]*>A day<.*?<input[^>]*value="50"/);
  const trial = page.getByRole("region", { name: "Try on past payments" });
  await expect(trial.getByRole("status")).toHaveText(
    "Of the last 3 payments 3 would be allowed, 0 needing approval and 0 denied.",
  );
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`));
  await field(page, "At a time").fill("60");
  await expect(page.getByText("A day allows 50 USDG: larger payments are refused.")).toBeVisible();
  await field(page, "At a time").fill("5.432101");
  await field(page, "Ask me above").fill("1.765432");
  await field(page, "Recipients").fill("@canary-of-the-draft");
  await field(page, "Recipients").press("Enter");
  await expect(trial.getByRole("status")).toHaveText(
    "Of the last 3 payments 1 would be allowed, 1 needing approval and 1 denied.",
  );
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
  await page.getByRole("main").getByRole("link", { name: agent.handle, exact: true }).click();
  await stay();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or do" }).fill("webhooks");
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
  await shotOfState(page, "agents-review");
  const saving = page.waitForRequest((request) => request.method() === "PATCH");
  await review.getByRole("button", { name: "Save policy" }).click();
  // A recipient more: the wallet is asked, whatever else gets tighter.
  await sign(page, "Set the agent's policy");
  expect(Object.keys((await saving).postDataJSON()).sort()).toEqual([
    "allowed_recipients",
    "hitl_threshold_usdg",
    "per_transaction_limit_usdg",
    "signed",
  ]);
  await expect(page).toHaveURL(new RegExp(`${agent.account_id}$`));
  await expect(page.getByText("Recipients").locator("xpath=..").getByText("@canary-of-the-draft")).toBeVisible();
  expect(await pay(agent.apiKey, "6")).toMatchObject({ status: 403, said: "per_transaction_limit" });
  expect(await pay(agent.apiKey, "1")).toMatchObject({ status: 201 });
});
