/*
 * Runs beside the installed package, as a program of its own: it imports nothing but types.
 */
import type { Halcyon, HeldPayment, TransferList } from "@/sdk/package/node";

/** What a case works with. Every client is of the installed package. */
export interface MethodWorld {
  /** An owner with money, an agent and an API key. */
  alice: Halcyon;
  /** Someone else with money and an API key. */
  bob: Halcyon;
  /** Only the API key of `alice`'s agent. Above 5 USDG it needs approval. */
  bot: Halcyon;
  /** Their handles. */
  to: { alice: string; bob: string; bot: string };
  /** Sells a report for 0.05 USDG, paid to `bob`. */
  shop: string;
  /** Takes payments and fails. */
  brokenShop: string;
  chain: { rpc: string; ledger: string };
  /** Claims of a seller, in memory. */
  memoryClaims: () => Parameters<Halcyon["x402"]["seller"]>[0]["claims"];
  /**
   * Creates an account with money and an API key, and a client that has its wallet alone; with `gas`, its wallet can
   * pay for transactions.
   */
  newcomer(options?: { gas?: true }): Promise<{ client: Halcyon; wallet: Halcyon }>;
  name(): string;
  /** Asks the API with `alice`'s key. */
  get<T>(path: string): Promise<T>;
}

type Case = (world: MethodWorld) => Promise<unknown>;

const PERIOD = { from: "2020-01-01", to: "2100-01-01", timeZone: "UTC" };
const DEAD = `0x${"0".repeat(36)}dead`;
const LIMITS = { daily_limit_usdg: 5, allowed_recipients: ["*"] };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

async function entries(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const entry of list) {
    all.push(entry);
    if (all.length >= 30) break;
  }
  return all;
}

async function paid(from: Halcyon, to: string, amount = "0.5"): Promise<string> {
  const transfer = await from.transfers.create({ to, amount });
  check("transfer_id" in transfer, "the payment awaits approval");
  return transfer.transfer_id;
}

async function held({ bot, to }: MethodWorld): Promise<string> {
  const asked = await bot.transfers.create({ to: to.bob, amount: "6" });
  check("transaction_id" in asked, "the payment was made");
  return asked.transaction_id;
}

async function agent({ alice, name }: MethodWorld): Promise<string> {
  return (await alice.agents.create({ name: name(), spendPolicy: LIMITS })).handle;
}

async function scheduled({ alice, to }: MethodWorld): Promise<string> {
  const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const rule = { frequency: "daily", start, time_zone: "UTC" } as const;
  return (await alice.schedules.create({ rule, payments: [{ to: to.bob, amount: "0.5" }] })).schedule_id;
}

/** Creates a schedule with a run that is due. */
async function due({ alice, to }: MethodWorld): Promise<[schedule: string, run: string]> {
  const at = new Date(Math.ceil((Date.now() + 10_000) / 60_000) * 60_000).toISOString();
  const rule = { frequency: "once", start: at.slice(0, 10), time: at.slice(11, 16), time_zone: "UTC" } as const;
  const { schedule_id: id } = await alice.schedules.create({ rule, payments: [{ to: to.bob, amount: "0.5" }] });
  for (;;) {
    const [run] = (await alice.schedules.get(id)).due_runs;
    if (run?.status === "due") return [id, run.run_id];
    await sleep(500);
  }
}

async function requested({ bob }: MethodWorld): Promise<{ id: string; link: string }> {
  const { payment_request_id: id, link } = await bob.paymentRequests.create({ amount: "0.5", note: "lunch" });
  return { id, link };
}

async function payout({ alice, to }: MethodWorld): Promise<string> {
  const rows = ["0.01", "0.02"].map((amount) => ({ to: to.bob, amount }));
  return (await alice.payouts.create({ rows }, { wait: false })).payout_id;
}

async function shared({ alice, to }: MethodWorld): Promise<{ id: string; link: string }> {
  const { shared_view_id: id, url: link } = await alice.sharedViews.create({
    ...PERIOD,
    label: "Accountant",
    counterparty: to.bob,
  });
  return { id, link };
}

async function webhook({ alice }: MethodWorld): Promise<string> {
  const created = await alice.webhooks.create({ url: "http://127.0.0.1:9/hook", events: ["transfer.confirmed"] });
  return created.webhook_id;
}

/** Uses a webhook and deletes it: an account may have only a few. */
async function withWebhook(world: MethodWorld, use: (id: string) => Promise<unknown>): Promise<void> {
  const id = await webhook(world);
  await use(id);
  await world.alice.webhooks.delete(id);
}

const funds = { atLeast: "5", for: "Northbank", expires: new Date(Date.now() + 7 * 86_400_000) };

/** Every method of the client, by its name. */
export const METHOD_CASES: Readonly<Record<string, Case>> = {
  "account.get": ({ alice }) => alice.account.get(),
  "account.getByWallet": ({ alice }) => alice.account.getByWallet(),
  "account.create": ({ newcomer }) => newcomer(),
  "account.verifyIdentity": async ({ newcomer }) => (await newcomer()).client.account.verifyIdentity(),
  "transfers.create": async ({ alice, bob, to }) => {
    await alice.transfers.create({ to: to.bob, amount: "0.5" });
    for (const more of [{}, { from: to.bot }, { public: true }]) {
      const sent = await alice.transfers.create({
        to: to.bob,
        amount: "0.5",
        memo: "as installed",
        clientSigned: true,
        ...more,
      });
      check("status" in sent && sent.status === "confirmed", JSON.stringify(sent));
    }
    const [newest] = (await bob.transfers.listDecrypted({ limit: 1, direction: "received" })).transfers;
    check(newest?.amount === "0.5", JSON.stringify(newest));
  },
  "transfers.createMany": async ({ alice, to }) => {
    const sent = await alice.transfers.createMany({
      payments: ["0.1", "0.2", "0.3"].map((amount) => ({ to: to.bob, amount })),
    });
    check(sent.status === "confirmed", JSON.stringify(sent));
  },
  "transfers.dryRun": ({ bot, to }) => bot.transfers.dryRun({ to: to.bob, amount: "1" }),
  "transfers.prepare": async ({ alice, to }) => {
    const body = await alice.transfers.prepare({ to: to.bob, amount: "0.5" });
    check(JSON.stringify(body).length > 500, "a short document");
  },
  "transfers.check": async ({ alice, to, chain }) => {
    // A payment that was never sent.
    const word = `0x${"01".repeat(32)}` as const;
    const { public_key: account } = await alice.account.getByWallet();
    const address = account as `0x${string}`;
    const outcome = await alice.transfers.check({
      version: 1,
      id: "never",
      kind: "transfer",
      chain_id: 46_630,
      ledger: chain.ledger as `0x${string}`,
      account: address,
      to: address,
      asset: address,
      note: word,
      since_block: "1",
      documents: [{ old_commitment: word, new_commitment: `0x${"02".repeat(32)}`, deadline: 1 }],
    });
    check(outcome.outcome !== "settled", `${to.alice}: ${JSON.stringify(outcome)}`);
  },
  "transfers.get": async ({ alice, to }) => alice.transfers.get(await paid(alice, to.bob)),
  "transfers.refund": async ({ alice, bob, to }) => {
    const received = await paid(bob, to.alice, "2");
    const part = await alice.transfers.refund(received, { amount: "0.5", clientSigned: true });
    const rest = await alice.transfers.refund(received);
    for (const each of [part, rest]) check("checked" in each && each.checked === true, JSON.stringify(each));
  },
  "transfers.refundable": async ({ alice, bob, to }) => {
    const { left } = await alice.transfers.refundable(await paid(bob, to.alice, "2"));
    check(left === "2", left);
  },
  "transfers.checkRefund": async ({ alice, bob, to }) => {
    const refund = await bob.transfers.refund(await paid(alice, to.bob));
    check("transfer_id" in refund && refund.transfer_id !== null, "no refund");
    const { valid } = await alice.transfers.checkRefund(refund.transfer_id ?? "");
    check(valid, "not valid");
  },
  "transfers.list": ({ alice }) => entries(alice.transfers.list()),
  "transfers.getDecrypted": async ({ alice, to }) => {
    const { amount } = await alice.transfers.getDecrypted(await paid(alice, to.bob, "1.25"));
    check(amount === "1.25", String(amount));
  },
  "transfers.listDecrypted": ({ alice }) => entries(alice.transfers.listDecrypted()),
  "transfers.decrypt": async ({ alice, get, to }) => {
    await paid(alice, to.bob, "1.25");
    const { transfers } = await get<TransferList>("/v1/transfers?limit=1&include=encrypted");
    check(transfers[0] !== undefined, "no transfer");
    const { amount } = await alice.transfers.decrypt(transfers[0]);
    check(amount === "1.25", String(amount));
  },
  "paymentRequests.create": (world) => requested(world),
  "paymentRequests.retrieve": async (world) => world.bob.paymentRequests.retrieve((await requested(world)).id),
  "paymentRequests.list": async (world) => {
    await requested(world);
    return entries(world.bob.paymentRequests.list());
  },
  "paymentRequests.cancel": async (world) => world.bob.paymentRequests.cancel((await requested(world)).id),
  "paymentRequests.open": async (world) => world.alice.paymentRequests.open((await requested(world)).link),
  "paymentRequests.pay": async (world) => {
    const { alice, to } = world;
    for (const input of [
      { most: "1" },
      { clientSigned: true },
      { from: to.bot },
      { from: to.bot, clientSigned: true },
    ]) {
      await alice.paymentRequests.pay((await requested(world)).link, input);
    }
  },
  "paymentRequests.check": async (world) => {
    const { id, link } = await requested(world);
    await world.alice.paymentRequests.pay(link);
    const [checked] = await world.bob.paymentRequests.check({ id });
    check(checked !== undefined, "nothing to check");
  },
  "paymentRequests.watch": async (world) => {
    const { link } = await requested(world);
    await world.alice.paymentRequests.pay(link);
    for await (const payment of world.bob.paymentRequests.watch({ seconds: 1 })) {
      check(payment.payment_request_id !== "", JSON.stringify(payment));
      break;
    }
  },
  "payouts.create": async ({ alice, to }) => {
    const { status } = await alice.payouts.create({ rows: [{ to: to.bob, amount: "0.01" }] });
    check(status === "finished", status);
  },
  "payouts.check": ({ alice, to }) => alice.payouts.check({ rows: [{ to: to.bob, amount: "0.01" }] }),
  "payouts.retrieve": async (world) => world.alice.payouts.retrieve(await payout(world)),
  "payouts.list": ({ alice }) => entries(alice.payouts.list()),
  "payouts.rows": async (world) => entries(world.alice.payouts.rows(await payout(world))),
  "payouts.resume": async (world) => world.alice.payouts.resume(await payout(world)),
  "payouts.cancel": async (world) => world.alice.payouts.cancel(await payout(world)),
  "schedules.create": (world) => scheduled(world),
  "schedules.list": ({ alice }) => entries(alice.schedules.list()),
  "schedules.get": async (world) => world.alice.schedules.get(await scheduled(world)),
  "schedules.getDecrypted": async (world) => world.alice.schedules.getDecrypted(await scheduled(world)),
  "schedules.update": async (world) => world.alice.schedules.update(await scheduled(world), { name: "Rent" }),
  "schedules.pause": async (world) => world.alice.schedules.pause(await scheduled(world)),
  "schedules.resume": async (world) => {
    const id = await scheduled(world);
    await world.alice.schedules.pause(id);
    await world.alice.schedules.resume(id);
  },
  "schedules.skip": async (world) => world.alice.schedules.skip(await scheduled(world)),
  "schedules.end": async (world) => world.alice.schedules.end(await scheduled(world)),
  "schedules.runs": async (world) => entries(world.alice.schedules.runs(await scheduled(world))),
  "schedules.getRun": async (world) => world.alice.schedules.getRun(...(await due(world))),
  "schedules.plan": async (world) => world.alice.schedules.plan(await scheduled(world)),
  "schedules.payRun": async (world) => {
    const { transfers } = await world.alice.schedules.payRun(...(await due(world)));
    check(transfers.length === 1, JSON.stringify(transfers));
  },
  "schedules.runDue": async (world) => {
    const [schedule] = await due(world);
    const [outcome] = await world.alice.schedules.runDue({ schedule });
    check(outcome?.status === "paid", JSON.stringify(outcome));
  },
  "receipts.create": async ({ alice, bob, to }) => {
    await alice.receipts.create(await paid(alice, to.bob));
    await alice.receipts.create(await paid(bob, to.alice));
  },
  "receipts.verify": async ({ alice, bob, to }) => {
    const { receipt } = await alice.receipts.create(await paid(alice, to.bob, "1.25"));
    const { amount } = await bob.receipts.verify(receipt);
    check(amount === "1.25", amount);
  },
  "sharedViews.create": async (world) => {
    await paid(world.alice, world.to.bob);
    await shared(world);
  },
  "sharedViews.list": ({ alice }) => entries(alice.sharedViews.list()),
  "sharedViews.delete": async (world) => world.alice.sharedViews.delete((await shared(world)).id),
  "sharedViews.verify": async (world) => {
    await paid(world.alice, world.to.bob);
    await world.bob.sharedViews.verify((await shared(world)).link);
  },
  "statements.create": async ({ alice }) => {
    const { accounts } = await alice.statements.create(PERIOD);
    check(accounts.length > 0, "an empty statement");
  },
  "statements.file": async ({ alice }) => {
    for (const format of ["csv", "ofx", "json"] as const) {
      check((await alice.statements.file({ ...PERIOD, format })).length > 100, format);
    }
  },
  "proofsOfFunds.preview": ({ alice }) => alice.proofsOfFunds.preview(funds),
  "proofsOfFunds.create": ({ alice }) => alice.proofsOfFunds.create(funds),
  "proofsOfFunds.verify": async ({ alice, bob }) => {
    const { proof_of_funds: proof } = await alice.proofsOfFunds.create(funds);
    await bob.proofsOfFunds.verify(proof, { for: funds.for });
  },
  "balances.get": ({ alice }) => alice.balances.get({ prove: true }),
  "balances.prove": ({ alice }) => alice.balances.prove(),
  "balances.decrypt": async ({ alice, to }) => {
    check(Number((await alice.balances.decrypt()).total) > 0, "no money");
    await alice.balances.decrypt({ agent: to.bot });
  },
  "balances.makeAvailable": async ({ alice }) => {
    await alice.testHelpers.faucet({ amount: "2" });
    await alice.balances.makeAvailable({ amount: "1" });
    await alice.balances.makeAvailable();
  },
  "withdrawals.create": async ({ alice }) => alice.withdrawals.create({ to: DEAD, amount: "0.5" }),
  "keys.create": ({ alice }) => alice.keys.create({ label: "server" }),
  "keys.list": ({ alice }) => entries(alice.keys.list()),
  "keys.revoke": async ({ alice }) => alice.keys.revoke((await alice.keys.create({ label: "server" })).key_id),
  "viewingKeys.export": ({ alice }) => alice.viewingKeys.export(),
  "agents.create": (world) => agent(world),
  "agents.list": ({ alice }) => entries(alice.agents.list()),
  "agents.pause": async (world) => world.alice.agents.pause(await agent(world)),
  "agents.resume": async (world) => {
    const bot = await agent(world);
    await world.alice.agents.pause(bot);
    await world.alice.agents.resume(bot);
  },
  "agents.end": async (world) => {
    const bot = await agent(world);
    await world.alice.transfers.create({ to: bot, amount: "1", clientSigned: true });
    await world.alice.agents.end(bot);
  },
  "agents.refunds": ({ alice, to }) => alice.agents.refunds(to.bot),
  "agents.setRefunds": async ({ alice, to }) => {
    await alice.agents.setRefunds(to.bot, { refunds: "owner" });
    await alice.agents.setRefunds(to.bot, { refunds: "available" });
  },
  "agents.makeRefundsAvailable": async ({ alice, bob, bot, to }) => {
    await bob.transfers.refund(await paid(bot, to.bob, "2"));
    await alice.agents.makeRefundsAvailable();
  },
  "agents.replaceKey": async ({ alice, bot, to }) => {
    await alice.agents.replaceKey(to.bot);
    await paid(bot, to.bob);
  },
  "policies.get": ({ alice, to }) => alice.policies.get(to.bot),
  "policies.update": async ({ alice, bot, to }) => {
    await alice.policies.update(to.bot, { monthly_limit_usdg: 90_000 });
    await paid(bot, to.bob);
  },
  "policies.simulate": ({ alice, to }) => alice.policies.simulate(to.bot, { payments: [{ to: to.bob, amount: "1" }] }),
  "limits.get": ({ alice }) => alice.limits.get(),
  "limits.set": async ({ newcomer, to }) => {
    const { client } = await newcomer();
    await client.limits.set({ ...LIMITS, per_transaction_limit_usdg: 2, hitl_threshold_usdg: 2 });
    await client.transfers.create({ to: to.bob, amount: "1" });
    await client.transfers.create({ to: to.bob, amount: "1", clientSigned: true });
  },
  "limits.clear": async ({ newcomer }) => {
    const { client } = await newcomer();
    await client.limits.set(LIMITS);
    await client.limits.clear();
  },
  "approvals.list": async (world) => {
    const id = await held(world);
    const listed = (await world.alice.approvals.list()).pending.find(({ transaction_id }) => transaction_id === id);
    check(listed?.amount === "6", JSON.stringify(listed));
  },
  "approvals.get": async (world) => world.alice.approvals.get(await held(world)),
  "approvals.approve": async (world) => {
    const { status } = await world.alice.approvals.approve(await held(world));
    check(status === "approved", status);
  },
  "approvals.reject": async (world) => world.alice.approvals.reject(await held(world)),
  "approvals.rejectAll": async (world) => {
    await held(world);
    await world.alice.approvals.rejectAll();
  },
  "approvals.decrypt": async (world) => {
    const id = await held(world);
    const { pending } = await world.get<{ pending: HeldPayment[] }>(
      "/v1/agents/transactions/pending?limit=100&include=encrypted",
    );
    const listed = pending.find(({ transaction_id }) => transaction_id === id);
    check(listed !== undefined, "it does not wait");
    const { amount } = await world.alice.approvals.decrypt(listed);
    check(amount === "6", String(amount));
  },
  "webhooks.create": (world) => withWebhook(world, async () => {}),
  "webhooks.list": ({ alice }) => entries(alice.webhooks.list()),
  "webhooks.update": (world) => withWebhook(world, (id) => world.alice.webhooks.update(id, { enabled: false })),
  "webhooks.delete": (world) => withWebhook(world, async () => {}),
  "webhooks.rotateSecret": (world) => withWebhook(world, (id) => world.alice.webhooks.rotateSecret(id)),
  "webhooks.replay": (world) =>
    withWebhook(world, async (id) => {
      const since = new Date();
      await paid(world.alice, world.to.bob);
      for (;;) {
        const { events } = await world.alice.events.list({ types: ["transfer.confirmed"], from: since });
        if (events[0]) return world.alice.webhooks.replay(id, events[0].event_id);
        await sleep(200);
      }
    }),
  "webhooks.redeliver": (world) =>
    withWebhook(world, (id) => world.alice.webhooks.redeliver(id, { since: new Date() })),
  "webhooks.test": (world) => withWebhook(world, (id) => world.alice.webhooks.test(id)),
  "webhooks.deliveries": (world) => withWebhook(world, (id) => entries(world.alice.webhooks.deliveries(id))),
  "events.list": ({ alice }) => entries(alice.events.list()),
  "events.get": async ({ alice }) => {
    const [first] = (await alice.events.list()).events;
    check(first !== undefined, "no event");
    await alice.events.get(first.event_id);
  },
  "auditLog.list": ({ alice }) => entries(alice.auditLog.list()),
  "requestLog.list": ({ alice }) => entries(alice.requestLog.list()),
  "security.rotateAccountSecret": async ({ newcomer, to }) => {
    const { wallet } = await newcomer();
    await wallet.security.rotateAccountSecret();
    await wallet.transfers.create({ to: to.bob, amount: "1", clientSigned: true });
  },
  "security.renewPaymentKey": async ({ newcomer }) => (await newcomer()).client.security.renewPaymentKey(),
  "security.stopPaymentKey": async ({ newcomer, chain }) =>
    (await newcomer({ gas: true })).client.security.stopPaymentKey(chain),
  "security.guard": ({ alice }) => alice.security.guard(),
  "security.setGuard": async ({ newcomer }) => {
    const { client } = await newcomer();
    await client.security.setGuard(true);
    await client.security.setGuard(false);
  },
  "security.balanceLoss": async ({ alice }) => {
    check((await alice.security.balanceLoss()) === null, "a balance is lost");
  },
  // What makes a balance unreadable is an attack: scripts/compromise.integration.test.ts gives one up.
  "security.abandonBalance": async ({ alice }) => {
    const refusal = await alice.security.abandonBalance().then(
      () => "given up",
      (error: Error) => error.message,
    );
    check(/can be decrypted/.test(refusal), refusal);
  },
  "x402.pay": async ({ alice, shop }) => {
    const { response } = await alice.x402.pay(`${shop}/report`, { max: "0.05" });
    check(response.status === 200, String(response.status));
  },
  "x402.price": async ({ alice, shop }) => {
    const { price } = await alice.x402.price(`${shop}/report`);
    check(price?.amount === "0.05", JSON.stringify(price));
  },
  "x402.buyer": ({ alice }) => alice.x402.buyer(),
  "x402.seller": ({ bob, memoryClaims }) => bob.x402.seller({ claims: memoryClaims() }),
  "x402.checkRefundRequest": async ({ alice, bob, brokenShop }) => {
    const { payment } = await alice.x402.pay(`${brokenShop}/report`, { max: "0.05", again: true });
    check(payment?.refund_request !== undefined && payment.refund_request !== null, JSON.stringify(payment));
    await bob.x402.checkRefundRequest(payment.refund_request);
  },
  "testHelpers.faucet": ({ alice }) => alice.testHelpers.faucet({ amount: "1" }),
  "testHelpers.advanceClock": ({ alice }) => alice.testHelpers.advanceClock({ seconds: 1 }),
  "testHelpers.expire": async (world) => world.alice.testHelpers.expire(await held(world)),
  "testHelpers.failingRecipient": ({ alice }) => alice.testHelpers.failingRecipient(),
  "recovery.run": async ({ newcomer, chain }) => {
    const { client } = await newcomer({ gas: true });
    const { steps } = await client.recovery.run({ ...chain, to: DEAD });
    check(
      (steps ?? []).some(({ step }) => step === "release"),
      JSON.stringify(steps),
    );
  },
};
