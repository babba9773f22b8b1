import { newAgent, pay } from "./agents-fixtures";
import { expectAccessible, shot, shotOfState } from "./checks";
import { expect, signedIn, test } from "./fixtures";
import { newOwner } from "./owner";

const PAGE = "/test/developers/requests";

test("an owner finds each request of a key with its outcome and ID, and nothing of what it contained", async ({
  page,
  playwright,
  configDir,
}) => {
  const owner = await newOwner("request-log", configDir, { available: "40" });
  await signedIn(page, owner.walletKey, playwright);
  await page.goto(PAGE);
  await expect(page.getByText("No requests yet")).toBeVisible();
  await shotOfState(page, "requests-log-empty");
  const agent = await newAgent(owner, "10");
  expect(await pay(owner.apiKey, "1.654321")).toMatchObject({ status: 201 });
  expect(await pay(owner.apiKey, "900")).toMatchObject({ status: 402 });
  expect(await pay(agent.apiKey, "0.25")).toMatchObject({ status: 201 });
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(async () => {
    await page.getByRole("button", { name: "Load newest" }).click();
    await expect(rows).toHaveCount(4, { timeout: 3_000 });
  }).toPass();
  await expect(rows.filter({ hasText: "insufficient_balance" })).toContainText("402");
  await expect(rows.filter({ hasText: "req_" })).toHaveCount(3);
  const text = await page.content();
  for (const canary of [owner.apiKey, agent.apiKey, "1.654321", "@demo"]) expect(text.includes(canary)).toBe(false);
  await expectAccessible(page);
  await shot(page, "request-log");
  await page.goto(`${PAGE}?outcome=refused`);
  await expect(rows).toHaveCount(2);
  await page.goto(`${PAGE}?outcome=failed`);
  await expect(page.getByText("No request matches these filters")).toBeVisible();
});
