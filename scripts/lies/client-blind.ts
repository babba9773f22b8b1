import { X402Resource } from "@/sdk/resources/x402-resource";
import type { Meddle } from "@/test/services/in-process-service";
import { memoryTexts } from "@/test/x402/memory-texts";
import { isLeftOpen } from "./check-outcome";
import { AMOUNT, atFirstSight, NOBODY, payee, sent, translated, type Verb } from "./client-action";
import type { World } from "./lying-service";

const AMOUNTS = [AMOUNT, "0.02", "0.03", "0.04"];

/** What a client pays with a blind key: it builds, and the service signs. */
const BLIND: readonly Verb[] = [
  {
    name: "send with a home key",
    of: ["transfers.create"],
    moves: () => sent("owner", "sent", "USDG", "payee"),
    run: async (_, world, __, meddle) =>
      (await world.homeClient(meddle)).transfers.create({ to: payee(world), amount: AMOUNT }),
  },
  {
    name: "send ETH with a home key",
    of: ["transfers.create"],
    moves: () => sent("owner", "sent", "ETH", "payee"),
    run: async (_, world, __, meddle) =>
      (await world.homeClient(meddle)).transfers.create({ to: world.payee.address, amount: AMOUNT, asset: "ETH" }),
  },
  {
    name: "send publicly with a home key",
    of: ["transfers.create"],
    moves: () => sent("owner", "released", "USDG", NOBODY),
    run: async (_, world, __, meddle) =>
      (await world.homeClient(meddle)).transfers.create({ to: NOBODY, amount: AMOUNT, public: true }),
  },
  {
    name: "send four at once with a home key",
    of: ["transfers.create"],
    moves: () => AMOUNTS.map((amount) => `owner sent ${amount} USDG to payee`),
    madeIn: (report) => {
      const { paid, open } = report as { paid: number; open: number };
      return [paid, paid + open];
    },
    run: async (_, world, __, meddle) => {
      const { transfers } = await world.homeClient(meddle);
      const all = await Promise.allSettled(AMOUNTS.map((amount) => transfers.create({ to: payee(world), amount })));
      const errors = all.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      if (errors.length === all.length) throw errors.find((error) => !isLeftOpen(error)) ?? errors[0];
      const open = errors.filter(isLeftOpen).length;
      return { paid: all.length - errors.length, open, failed: errors.length - open };
    },
  },
  {
    name: "payout with a home key",
    of: ["payouts.create"],
    moves: () => ["owner sent 0.01 USDG to payee", "owner sent 0.02 USDG to payee"],
    madeIn: (report) => {
      const { paid, pending } = report as { paid: number; pending: number };
      return [paid, paid + pending];
    },
    run: async (_, world, __, meddle) => {
      const rows = AMOUNTS.slice(0, 2).map((amount) => ({ to: payee(world), amount }));
      const payout = await (await world.homeClient(meddle)).payouts.create({ rows });
      const { rows: all, rows_paid, rows_sent, rows_failed, rows_pending } = payout;
      return { rows: all, paid: rows_paid + rows_sent, failed: rows_failed, pending: rows_pending };
    },
  },
  {
    name: "refund with a home key",
    of: ["transfers.refund"],
    moves: () => sent("owner", "sent", "USDG", "payee"),
    run: async (_, world, __, meddle) =>
      (await world.homeClient(meddle)).transfers.refund(world.received, { amount: AMOUNT }),
  },
  {
    name: "approve with a home key",
    of: ["approvals.approve"],
    // Its address is checked; a machine without the wallet has no other source for its handle.
    labels: ["agent"],
    moves: () => sent("agent", "sent", "USDG", "payee"),
    before: (world) => world.held(),
    run: async (_, world, id, meddle) => (await world.homeClient(meddle)).approvals.approve(id),
  },
];

/** Returns a client with a blind key of an agent. */
const agentClient = async (world: World, meddle?: Meddle) => world.homeClient(meddle, await world.agentAtHome());

/** Prepares the agent before what it moves is counted. */
async function agentReady(world: World): Promise<string> {
  await world.agentAtHome();
  return "";
}

/** What an agent pays with a blind key of its own, which builds within a policy. */
const BLIND_AGENT: readonly Verb[] = [
  {
    name: "send by an agent with a home key",
    of: ["transfers.create"],
    before: agentReady,
    moves: () => sent("blind agent", "sent", "USDG", "payee"),
    run: async (_, world, __, meddle) =>
      (await agentClient(world, meddle)).transfers.create({ to: payee(world), amount: AMOUNT }),
  },
  {
    name: "send publicly by an agent with a home key",
    of: ["transfers.create"],
    before: agentReady,
    moves: () => sent("blind agent", "released", "USDG", NOBODY),
    run: async (_, world, __, meddle) =>
      (await agentClient(world, meddle)).transfers.create({ to: NOBODY, amount: AMOUNT, public: true }),
  },
  {
    name: "ask for approval with an agent's home key",
    of: ["transfers.create"],
    // Its own handle, too: a machine without the wallet has no other source for it.
    labels: ["agent", "requested_at", "expires_at"],
    before: agentReady,
    moves: () => [],
    run: async (_, world, __, meddle) =>
      (await agentClient(world, meddle)).transfers.create({ to: payee(world), amount: "2" }),
  },
  {
    name: "buy over x402 by an agent with a home key",
    of: ["x402.pay"],
    moves: () => ["blind agent sent 0.05 USDG to payee"],
    before: async (world) => {
      await agentReady(world);
      return (await world.shops()).x402;
    },
    run: async (_, world, url, meddle) => {
      const context = await world.homeContext(meddle, await world.agentAtHome());
      const buyer = new X402Resource(context, { offers: memoryTexts() });
      const { response, payment } = await translated(buyer.pay(`${url}/report`, { max: "0.10" }));
      return { status: response.status, text: await response.text(), payment };
    },
  },
];

const LIMITS = {
  daily_limit_usdg: 50,
  per_transaction_limit_usdg: 2,
  hitl_threshold_usdg: 1,
  allowed_recipients: ["*"],
  assets: ["USDG" as const],
};

/** What an account with limits of its own pays with a blind key. */
const LIMITED: Verb = {
  name: "send within the account's limits with a home key",
  of: ["transfers.create"],
  last: true,
  moves: () => sent("owner", "sent", "USDG", "payee"),
  before: async (world) => {
    await (await world.client()).limits.set(LIMITS);
    await world.quiet();
    return "";
  },
  run: async (_, world, __, meddle) =>
    (await world.homeClient(meddle)).transfers.create({ to: payee(world), amount: AMOUNT }),
};

/** What a client pays with a blind key, also to an address on a machine that sees the service for the first time. */
export const PAYING_BLIND: readonly Verb[] = [
  ...BLIND,
  ...BLIND_AGENT,
  LIMITED,
  ...BLIND.filter(({ name }) => name.startsWith("send ETH")).map(atFirstSight),
];
