import { isLeftOpen } from "./check-outcome";
import { AMOUNT, atFirstSight, NOBODY, payee, sent, type Verb } from "./client-action";

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

/** What a client pays with a blind key, also to an address on a machine that sees the service for the first time. */
export const PAYING_BLIND: readonly Verb[] = [
  ...BLIND,
  ...BLIND.filter(({ name }) => name.startsWith("send ETH")).map(atFirstSight),
];
