import { field, newAgent, pay } from "./agents-fixtures";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, sign, test, unlock } from "./fixtures";

test("a draft is tried on past payments without sending anything; saved, it is enforced from the next payment on", async ({
  ownerPage: page,
  owner,
  other,
}) => {
  const agent = await newAgent(owner);
  for (const amount of ["2", "6", "1.5"]) {
    const { transfer_id = "" } = await pay(agent.apiKey, amount);
    const status = async () => (await owner.client.transfers.listDecrypted({ limit: 1 })).transfers[0]?.status;
    await expect.poll(status).toBe("confirmed");
    expect(transfer_id).toMatch(/^tr_/);
  }
  await page.goto("/test/agents");
  await unlock(page);
  await page.getByRole("link", { name: agent.handle }).first().click();
  await page.getByRole("link", { name: "Edit policy" }).click();
  await expect(page).toHaveURL(new RegExp(`${agent.account_id}/policy$`));
  // The server renders the form, so it works before and without scripts.
  expect(await (await page.request.get(page.url())).text()).toMatch(/<label[^>]*>Per day<.*?<input[^>]*value="50"/);
  const trial = page.getByRole("region", { name: "Try on past payments" });
  await expect(trial.getByRole("status")).toHaveText(
    "Of the last 3 payments 3 would be allowed, 0 needing approval and 0 denied.",
  );
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`));
  await field(page, "Per payment").fill("60");
  await expect(page.getByText("A day allows 50 USDG: larger payments are refused.")).toBeVisible();
  await field(page, "Per payment").fill("5.432101");
  await field(page, "Ask me above").fill("1.765432");
  await field(page, "Recipients").fill(other.handle);
  await field(page, "Recipients").press("Enter");
  await expect(trial.getByRole("status")).toHaveText(
    "Of the last 3 payments 1 would be allowed, 1 needing approval and 1 denied.",
  );
  await expect(trial.getByText("Over the limit per payment")).toBeVisible();
  await expectAccessible(page);
  await shot(page, "agents-edit");
  const draft = ["5.432101", "1.765432", other.handle.replace("@", "")];
  expect(sent.filter((request) => draft.some((text) => request.includes(text)))).toEqual([]);
  expect(sent.filter((request) => !request.startsWith("GET "))).toEqual([]);

  // Edits are not lost by a wrong click, the palette, or pressing Back, even twice in a row.
  const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
  const stay = async () => {
    await leaving.getByRole("button", { name: "Stay on this page" }).click();
    await expect(leaving).toBeHidden();
    await expect(page).toHaveURL(new RegExp(agent.account_id));
  };
  await page.getByRole("main").getByRole("link", { name: agent.handle, exact: true }).click();
  await stay();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).fill("webhooks");
  await expect(page.getByRole("option").first()).toHaveText("Webhooks");
  await page.keyboard.press("Enter");
  await stay();
  const back = () => page.evaluate(() => history.back());
  for (const times of [1, 2]) {
    for (let each = 0; each < times; each += 1) await back();
    await stay();
  }
  await expect(field(page, "Per payment")).toHaveValue("5.432101");

  // An amount as people write it, and one that isn't.
  await field(page, "Per day").fill("1,00");
  await expect(page.getByText("1 field needs correcting")).toBeVisible();
  await field(page, "Per day").fill("1,000");
  await expect(page.getByText("1 field needs correcting")).toBeHidden();
  await field(page, "Per day").fill("50");
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("dialog", { name: "Save this policy?" });
  await expect(review.locator("dl > div")).toHaveText([
    /Per payment.*10 USDG.*5\.432101 USDG/,
    /Ask me above.*10 USDG.*1\.765432 USDG/,
    new RegExp(`Recipients.*${other.handle} added`),
  ]);
  await expectAccessible(page);
  await shotOfState(page, "agents-review");
  const saving = page.waitForRequest((request) => request.method() === "PATCH");
  await review.getByRole("button", { name: "Save policy" }).click();
  // An additional recipient needs the wallet, even if everything else gets stricter.
  await sign(page, "Set the agent's policy");
  expect(Object.keys((await saving).postDataJSON()).sort()).toEqual([
    "allowed_recipients",
    "hitl_threshold_usdg",
    "per_transaction_limit_usdg",
    "signed",
  ]);
  await expect(page).toHaveURL(new RegExp(`${agent.account_id}$`));
  await expect(page.getByText("Recipients").locator("xpath=..").getByText(other.handle)).toBeVisible();
  expect(await pay(agent.apiKey, "6")).toMatchObject({ status: 403, said: "per_transaction_limit" });
});
