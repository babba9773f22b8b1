import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, sliceHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { LedgerView } from "@/sdk/api-types";
import { repositoryContext } from "@/sdk/client";
import { preparePayment } from "@/sdk/payment";
import { planPayment } from "@/sdk/payment-plan";
import { expectAccessible, shotOfState } from "./checks";
import { expect, signedIn, test, unlock } from "./fixtures";
import { newOwner, productURL } from "./owner";

const ledgerAbi = parseAbi([
  "struct Proof { uint256[2] a; uint256[2][2] b; uint256[2] c; }",
  "struct Transfer { address account; address to; address asset; uint256 newBudget; uint256 note; uint64 deadline; bytes recipientCiphertext; bytes payerCiphertext; }",
  "function transfer(Transfer params, Proof proof, bytes signature)",
]);

test("a note sealed wrongly is named and not counted; a budget changed without the service is sealed again by unlocking", async ({
  page,
  browser,
  playwright,
  configDir,
  other,
}) => {
  test.setTimeout(180_000);
  const payer = await newOwner("bypass", configDir, { budget: "30" });
  // Leaves the wallet what the gas of a transaction costs.
  await payer.client.faucet({ asset: "ETH", amount: "0.1" });
  const payee = await newOwner("misled", configDir, { credit: "5" });

  // A payment as another client could make it: its words are for somebody else's key, and it never passes the service.
  const context = repositoryContext({ url: productURL, walletKey: payer.walletKey, configDir });
  const plan = await planPayment(context, { to: payee.handle, amount: "7" });
  const stranger = await planPayment(context, { to: other.handle, amount: "7" });
  plan.payment.to = { ...plan.payment.to, viewingKey: stranger.payment.to.viewingKey };
  const prepared = await preparePayment(context, plan.payer, plan.payment);
  if (prepared.kind !== "transfer") throw new Error("this is a confidential payment");
  const coordinate = (index: number) => BigInt(sliceHex(prepared.proof as Hex, 32 * index, 32 * index + 32));
  const proof = {
    a: [coordinate(0), coordinate(1)],
    b: [
      [coordinate(2), coordinate(3)],
      [coordinate(4), coordinate(5)],
    ],
    c: [coordinate(6), coordinate(7)],
  } as const;
  const params = {
    account: prepared.account,
    to: prepared.to,
    asset: prepared.asset,
    newBudget: BigInt(prepared.new_budget),
    note: BigInt(prepared.note),
    deadline: BigInt(prepared.deadline),
    recipientCiphertext: prepared.recipient_ciphertext,
    payerCiphertext: prepared.payer_ciphertext,
  };
  const data = encodeFunctionData({
    abi: ledgerAbi,
    functionName: "transfer",
    args: [params, proof, prepared.signature],
  });
  const chain = await context.chain();
  // Anybody may carry a signed payment to the chain; this wallet pays the gas.
  const carrier = createWalletClient({ account: privateKeyToAccount(payer.walletKey), transport: http(chain.rpcUrl) });
  const hash = await carrier.sendTransaction({ to: chain.ledger, data, chain: null });
  expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe("success");
  const session = await context.session();
  const ledger = () => session.get<LedgerView>("/api/ledger", { asset: "USDG" });
  await expect.poll(async () => (await ledger()).budget.reseal_required).toBe(true);

  await signedIn(page, payer.walletKey, playwright);
  await page.goto("/test");
  const usdg = page.getByRole("region", { name: "Total USDG" });
  await expect(usdg.getByText("Payments wait until this budget is sealed again.")).toBeVisible();
  await expectAccessible(page);
  await shotOfState(page, "balances-reseal");
  // Until then a key pays nothing, and is told why.
  const pay = () =>
    fetch(`${productURL}/v1/transfers`, {
      method: "POST",
      headers: { authorization: `Bearer ${payer.apiKey}` },
      body: JSON.stringify({ to: other.handle, amount: "1" }),
    });
  const refused = await pay();
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ error: { code: "reseal_required" } });
  await unlock(page);
  await expect(usdg.locator("dl > div").first()).toContainText("23 USDG");
  await expect(usdg.getByText("Payments wait until this budget is sealed again.")).toBeHidden();
  expect((await pay()).status).toBe(201);

  const second = await browser.newPage();
  await signedIn(second, payee.walletKey, playwright);
  await second.goto("/test");
  await unlock(second);
  const theirs = second.getByRole("region", { name: "Total USDG" });
  await expect(theirs.getByText("1 note does not open: whoever sent it sealed it wrongly.")).toBeVisible();
  await expect(theirs).toContainText("Total USDG5 USDG");
  await expectAccessible(second);
  await shotOfState(second, "balances-unreadable");
  await second.close();
});
