import { expect, type Page } from "@playwright/test";
import { announcements } from "../announcements";
import { type Asking, approveButton, linkOf, newAsking, PAGE } from "./approvals-fixtures";
import { type Act, FAILURES, type Failure, listen, runCell, runUnpressed } from "./failures";
import { sign, signedIn, test, unlock } from "./fixtures";
import { newOwner, type Owner } from "./owner";

const units = (amount: string) => BigInt(Math.round(Number(amount) * 1e6));
const dialogOf = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => dialogOf(page).getByRole("button", { name, exact: true });

/** Fills in a form and goes to its review. */
async function fill(page: Page, amount: string, to?: [label: string, value: string]): Promise<void> {
  if (to) await dialogOf(page).getByLabel(to[0], { exact: true }).fill(to[1]);
  await dialogOf(page).getByLabel("Amount", { exact: true }).fill(amount);
  await button(page, "Review").click();
}

const final = /Final on chain\./;
const closeDialog = async (page: Page) => {
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toBeHidden();
};

function sending(to: Owner): Act {
  return {
    name: "send",
    path: "/test/balances",
    request: "/v1/transfers?",
    prepare: async (page, amount) => {
      await page.getByRole("link", { name: "Send", exact: true }).click();
      await fill(page, amount, ["To", to.handle]);
    },
    press: (page, amount) => button(page, `Pay ${amount} USDG`).click(),
    done: final,
    nothing: "Nothing was sent.",
    made: /Your payment to .* was made\./,
    close: closeDialog,
    figure: async () => units((await to.client.balances.decrypt()).total),
  };
}

function makingAvailable({ client }: Owner): Act {
  const available = async () => units((await client.balances.decrypt()).available);
  return {
    name: "makeAvailable",
    path: "/test/balances",
    request: "/api/make-available?",
    prepare: async (page, amount) => {
      const next = Number((await available()) + units(amount)) / 1e6;
      await page.getByRole("link", { name: "Make available USDG" }).click();
      await dialogOf(page).getByLabel("New available balance").fill(String(next));
      await expect(dialogOf(page).getByText(`Makes ${amount} USDG available`)).toBeVisible();
    },
    press: (page) =>
      dialogOf(page)
        .getByRole("button", { name: /^Set available balance to/ })
        .click(),
    sign: (page, again) =>
      signUnlessRefused(page, "Change the available balance", again ? /Your available balance is set\./ : undefined),
    done: { announced: "Your available balance is set." },
    nothing: "Nothing was made available.",
    made: /The change of your available balance was made\./,
    close: async (page) => {
      const dialog = page.getByRole("dialog", { name: "Make money available" });
      if (await dialog.isVisible()) await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
    },
    figure: available,
  };
}

function depositing({ client }: Owner): Act {
  return {
    name: "deposit",
    path: "/test/balances",
    request: "/api/deposits?",
    prepare: async (page, amount) => {
      await page.getByRole("link", { name: "Add funds" }).click();
      await dialogOf(page).getByText("My wallet").click();
      await dialogOf(page).getByLabel("Amount", { exact: true }).fill(amount);
    },
    press: (page, amount) => button(page, `Deposit ${amount} USDG`).click(),
    sign: (page, again) => signUnlessRefused(page, "Deposit", again ? /USDG deposited/ : undefined),
    done: /USDG deposited/,
    nothing: "Nothing was deposited.",
    made: /Your deposit was made\./,
    close: closeDialog,
    figure: async () => units((await client.balances.decrypt()).deposited),
  };
}

function approving({ hold, owner }: Asking, to: Owner): Act {
  return {
    name: "approve",
    path: PAGE,
    request: "/approve?",
    prepare: async (page, amount) => {
      const id = await hold({ to: to.handle, amount });
      await page.locator(linkOf(id)).click();
      await expect(approveButton(page)).toBeEnabled();
    },
    press: (page) => approveButton(page).click(),
    done: /Final on chain\.|Approved\. ?The response was lost, but the payment was made\./,
    nothing: "It was not approved.",
    made: /The payment to .* that you approved was made\./,
    close: async (page) => {
      await closeDialog(page);
      for (const { transaction_id } of (await owner.client.approvals.list()).pending)
        await owner.client.approvals.reject(transaction_id);
    },
    figure: async () => units((await to.client.balances.decrypt()).total),
  };
}

/** Signs, unless the page says first that there is nothing to sign. */
async function signUnlessRefused(page: Page, title: string, made?: RegExp): Promise<void> {
  const text = made ?? /You are offline\. Nothing|You have been signed out/;
  const asked = page
    .getByRole("dialog", { name: title, exact: true })
    .getByRole("button", { name: "Sign", exact: true });
  const isSaid = async () =>
    (await page.getByText(text).first().isVisible()) || (await announcements(page)).some((said) => text.test(said));
  await expect.poll(async () => (await asked.isVisible()) || (await isSaid())).toBe(true);
  if (await asked.isVisible()) await sign(page, title);
}

/** Opens a page that is signed in, unlocked and connected to the service's stream. */
async function open(page: Page, key: Owner["walletKey"], path: string, playwright: Parameters<typeof signedIn>[2]) {
  await listen(page.context());
  const wallet = await signedIn(page, key, playwright);
  const live = page.waitForResponse(/\/api\/stream\?/);
  await page.goto(path);
  await live;
  await unlock(page);
  return wallet;
}

/**
 * Which failures an act runs through here: all of them for a payment; for an approval, which has a hook and a dialog of
 * its own, those that leave the outcome open or end the session; and each once where the wallet signs too. What the
 * dialogs say of each is in components/money/act-dialog.test.tsx and components/approvals/review-dialog.test.tsx.
 * sdk/payments/attempts/lost-responses.integration.test.ts runs each act with each failure.
 */
const ALL = FAILURES;
const OWN = ["response lost three times", "session expired", "tab closed"] as const;

/** Runs these failures of these acts in turn, each with its own amount. Returns the page to continue with. */
async function runAll(
  page: Page,
  { walletKey }: Owner,
  acts: readonly [Act, readonly Failure[]][],
  first: number,
): Promise<Page> {
  let now = page;
  for (const [act, failures] of acts) {
    if (!now.url().endsWith(act.path)) {
      await now.goto(act.path);
      await unlock(now);
    }
    for (const [at, failure] of failures.entries()) {
      await test.step(`${act.name}: ${failure}`, async () => {
        now = await runCell(now, walletKey, act, failure, (first + at / 100).toFixed(2));
      });
    }
  }
  return now;
}

const GUARANTEE = "whatever becomes of the response, the words on screen are those of the money that moved";

// Longest tests first, and each short enough that no worker is left alone with one at the end.
test(`make available and deposit: ${GUARANTEE}`, async ({ page, owner: payer, playwright, configDir }) => {
  test.slow();
  const owner = await newOwner("mover", configDir, { available: "1", deposited: "20" });
  // Leaves money in the wallet itself, to deposit.
  await payer.client.withdrawals.create({ to: owner.address, amount: "0.99" });
  await open(page, owner.walletKey, "/test/balances", playwright);
  await runAll(
    page,
    owner,
    [
      [makingAvailable(owner), ["response lost three times", "offline"]],
      [depositing(owner), ["session expired", "tab closed"]],
    ],
    0.11,
  );
});

test(`send: ${GUARANTEE}`, async ({ page, owner, other, playwright }) => {
  test.slow();
  await open(page, owner.walletKey, "/test/balances", playwright);
  await test.step("send: the page hears of the session's end first", () =>
    runUnpressed(page, sending(other), "0.1", () => owner.client.keys.create({ label: "heard of" })));
  await runAll(page, owner, [[sending(other), ALL]], 0.11);
});

test(`approve: ${GUARANTEE}`, async ({ page, other, playwright, configDir }) => {
  test.slow();
  const asking = await newAsking(configDir);
  await open(page, asking.owner.walletKey, PAGE, playwright);
  await runAll(page, asking.owner, [[approving(asking, other), OWN]], 10.11);
});
