import { Mppx } from "mppx/client";
import { HalcyonError, type HalcyonErrorCode } from "@/sdk/api/errors";
import { deposit } from "@/sdk/payments/funding/deposit";
import { payByWallet } from "@/sdk/payments/payouts/pay-by-wallet";
import { acceptByWallet } from "@/sdk/payments/payouts/payouts-by-wallet";
import { createSchedule } from "@/sdk/payments/schedules/write-schedule";
import { X402Resource } from "@/sdk/resources/x402-resource";
import { halcyonClient } from "@/sdk/x402/mpp";
import { memoryTexts } from "@/test/x402/memory-texts";
import { AMOUNT, atFirstSight, bot, NOBODY, payee, sent, translated, type Verb } from "./client-action";
import type { World } from "./lying-service";

const clientSigned = true;
const DAY_MS = 86_400_000;

/** What only the service says of a run: how it lists it. */
const RUN_LABELS = ["run_id", "schedule_id", "date", "due_at", "window_ends_at", "missed_reason"];

/** Creates a schedule whose only run is due. Returns both ids. */
async function dueRun(world: World): Promise<string> {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS);
  const rule = { frequency: "once", start: day(1).toISOString().slice(0, 10) } as const;
  const payments = [{ to: payee(world), amount: AMOUNT }];
  const created = await createSchedule(await world.context(), { rule, payments }, undefined, day(2));
  return `${created.schedule_id} ${created.due_runs[0]?.run_id}`;
}

/** What moves money, signed by the client. */
const MONEY: readonly Verb[] = [
  {
    name: "send",
    of: ["transfers.create"],
    moves: () => sent("owner", "sent", "USDG", "payee"),
    run: (client, world) => client.transfers.create({ to: payee(world), amount: AMOUNT, clientSigned }),
  },
  {
    name: "send ETH",
    of: ["transfers.create"],
    moves: () => sent("owner", "sent", "ETH", "payee"),
    run: (client, world) =>
      client.transfers.create({ to: world.payee.address, amount: AMOUNT, asset: "ETH", clientSigned }),
  },
  {
    name: "send from the agent",
    of: ["transfers.create"],
    moves: () => sent("agent", "sent", "USDG", "payee"),
    run: (client, world) =>
      client.transfers.create({ from: bot(world), to: payee(world), amount: AMOUNT, clientSigned }),
  },
  {
    name: "fund the agent",
    of: ["transfers.create"],
    moves: () => sent("owner", "funded_out", "USDG", "agent"),
    run: (client, world) => client.transfers.create({ to: bot(world), amount: AMOUNT, clientSigned }),
  },
  {
    name: "send to many",
    of: ["transfers.createMany"],
    moves: () => ["owner sent 0.01 USDG to payee", "owner sent 0.02 USDG to payee"],
    madeIn: (report) => {
      const { rows, paid, failed, pending } = report as Record<string, number>;
      return rows === 2 && Number(paid) + Number(failed) + Number(pending) === 2 ? Number(paid) : -1;
    },
    run: (client, world) =>
      client.transfers.createMany({ payments: [AMOUNT, "0.02"].map((amount) => ({ to: payee(world), amount })) }),
  },
  {
    name: "withdraw",
    of: ["withdrawals.create"],
    moves: () => sent("owner", "released", "USDG", NOBODY),
    run: (client) => client.withdrawals.create({ to: NOBODY, amount: AMOUNT }),
  },
  {
    name: "make available",
    of: ["balances.makeAvailable"],
    moves: () => ["owner make_available USDG"],
    run: async (client) => {
      // How many notes it took depends on which the service lists.
      const { notes: _, ...made } = await client.balances.makeAvailable({ amount: AMOUNT });
      return made;
    },
  },
  {
    name: "refund",
    of: ["transfers.refund"],
    moves: () => sent("owner", "sent", "USDG", "payee"),
    run: (client, { received }) => client.transfers.refund(received, { amount: AMOUNT, clientSigned }),
  },
  {
    name: "pay a request",
    of: ["paymentRequests.pay"],
    moves: () => sent("owner", "sent", "USDG", "payee"),
    before: (world) => world.requestOfPayee(),
    run: (client, _, link) => client.paymentRequests.pay(link, { most: "1" }),
  },
  {
    name: "approve",
    of: ["approvals.approve"],
    moves: () => sent("agent", "sent", "USDG", "payee"),
    before: (world) => world.held(),
    run: (client, _, id) => client.approvals.approve(id),
  },
  {
    name: "payout",
    of: ["wallet payouts"],
    moves: () => ["owner sent 0.01 USDG to payee", "owner sent 0.02 USDG to payee"],
    run: async (_client, world, _prepared, meddle) => {
      const context = await world.context(meddle);
      const rows = [AMOUNT, "0.02"].map((amount) => ({ to: payee(world), amount }));
      const pay = async () => payByWallet(context, (await acceptByWallet(context, rows)).payout_id);
      const { rows: all, rows_paid, rows_sent, rows_failed, rows_pending } = await translated(pay());
      // What is under way may be final by now.
      return { rows: all, paid: rows_paid + rows_sent, failed: rows_failed, pending: rows_pending };
    },
  },
  {
    name: "pay a run",
    of: ["schedules.payRun"],
    labels: RUN_LABELS,
    moves: () => sent("owner", "sent", "USDG", "payee"),
    before: dueRun,
    run: (client, _, due) => {
      const [schedule = "", run = ""] = due.split(" ");
      return client.schedules.payRun(schedule, run);
    },
  },
  {
    name: "pay what is due",
    of: ["schedules.runDue"],
    // That nothing is due is the service's word.
    mayRest: () => true,
    labels: RUN_LABELS,
    moves: () => sent("owner", "sent", "USDG", "payee"),
    before: dueRun,
    run: async (client, _, due) => {
      const outcomes = await client.schedules.runDue({ schedule: due.split(" ")[0] });
      const { error } = outcomes.find(({ status }) => status === "failed") ?? {};
      if (error) throw new HalcyonError(error.code as HalcyonErrorCode, error.message);
      return outcomes;
    },
  },
  {
    name: "deposit",
    of: ["wallet deposits"],
    moves: () => [`owner deposit ${AMOUNT} USDG`],
    run: async (_client, world, _prepared, meddle) => {
      const context = await world.context(meddle);
      return { tx_hash: await translated(context.asset().then((asset) => deposit(context, asset, 10_000n))) };
    },
  },
  {
    name: "deposit ETH",
    of: ["wallet deposits"],
    moves: () => [`owner deposit ${AMOUNT} ETH`],
    run: async (_client, world, _prepared, meddle) => {
      const context = await world.context(meddle);
      return { tx_hash: await translated(context.asset("ETH").then((asset) => deposit(context, asset, 10_000_000n))) };
    },
  },
  {
    name: "buy over x402",
    of: ["x402.pay", "x402.buyer"],
    moves: () => ["owner sent 0.05 USDG to payee"],
    before: async (world) => (await world.shops()).x402,
    run: async (_client, world, url, meddle) => {
      const buyer = new X402Resource(await world.context(meddle), { offers: memoryTexts() });
      const { response, payment } = await translated(buyer.pay(`${url}/report`, { max: "0.10" }));
      return { status: response.status, text: await response.text(), payment };
    },
  },
  {
    name: "buy over MPP",
    of: ["x402.buyer"],
    moves: () => ["owner sent 0.05 USDG to payee"],
    before: async (world) => (await world.shops()).mpp,
    run: async (_client, world, url, meddle) => {
      const place = { offers: memoryTexts() };
      const scheme = await translated(new X402Resource(await world.context(meddle), place).buyer());
      const methods = [halcyonClient(scheme, { max: "0.10" })];
      const response = await Mppx.create({ methods, fetch: scheme.fetch, polyfill: false }).fetch(`${url}/report`);
      return { status: response.status, text: await response.text() };
    },
  },
  {
    name: "make refunds available",
    of: ["agents.makeRefundsAvailable"],
    // Which agents there are, and where their refunds go, is the service's word.
    mayRest: (lie) => /^everywhere|\/agents/.test(lie),
    moves: () => ["agent make_available USDG"],
    before: async (world) => {
      const [client, shop] = [await world.client(), await world.client(undefined, world.payee)];
      await client.agents.setRefunds(bot(world), { refunds: "available" });
      // What a lie before kept from being made available.
      await client.agents.makeRefundsAvailable();
      const paid = await client.transfers.create({ from: bot(world), to: payee(world), amount: AMOUNT, clientSigned });
      if ("transfer_id" in paid && paid.transfer_id) await shop.transfers.refund(paid.transfer_id, { clientSigned });
      await world.quiet();
      return "";
    },
    run: (client) => client.agents.makeRefundsAvailable(),
  },
];

/** What a client pays, and pays to an address whose service it sees for the first time. */
export const PAYING_MONEY: readonly Verb[] = [
  ...MONEY,
  ...MONEY.filter(({ name }) => ["send ETH", "make available", "withdraw"].includes(name)).map(atFirstSight),
];
