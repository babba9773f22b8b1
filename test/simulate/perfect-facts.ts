import type { Facts, PolicyPeriod, SeenDelivery, SeenEvent, SeenTransfer } from "@/scripts/simulate/facts";
import { Model } from "@/scripts/simulate/model";
import {
  ACCOUNTS,
  AGENTS,
  FIRST_LIMITS,
  type Limits,
  type Operation,
  type PayoutRow,
  type Step,
} from "@/scripts/simulate/operations";
import type { Ended } from "@/scripts/simulate/perform";

type Changeable<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends ReadonlySet<infer V>
      ? Set<V>
      : T extends readonly (infer V)[]
        ? V[]
        : T;

/** Facts that a test may doctor. */
export type DoctoredFacts = { -readonly [Name in keyof Facts]: Changeable<Facts[Name]> };

/** What a product would leave behind that keeps every promise: one second passes with each step. */
export function perfectFacts(seed: number, count: number): DoctoredFacts {
  return new PerfectProduct(seed, count).facts;
}

class PerfectProduct {
  readonly facts: DoctoredFacts;
  private readonly accounts = Array.from({ length: ACCOUNTS }, (_, n) => `party-${n}`);
  private now: number;
  private readonly agents = Array.from({ length: AGENTS }, (_, n) => `party-${n}/bot`);

  constructor(seed: number, count: number) {
    const model = new Model(seed);
    this.now = model.setting.start;
    const policies = this.agents.map((agent) => periodOf(agent, FIRST_LIMITS, 0));
    this.facts = {
      steps: Array.from({ length: count }, () => model.next()),
      ended: new Map(),
      accounts: this.accounts,
      agents: this.agents,
      zones: [...model.setting.zones],
      transfers: [],
      onChain: new Set(),
      events: [],
      deliveries: [],
      approvals: new Map(),
      runs: [],
      policies,
      held: 90_000_000_000_000n,
      unreadable: 0,
      ledgerGrew: 90_000_000_000_000n,
      deposited: 90_000_000_000_000n,
      withdrawn: new Map(),
      leaks: [],
    };
    for (const step of this.facts.steps) this.take(step);
  }

  private take(step: Step): void {
    const { n, operation, expected } = step;
    const { ended, approvals, policies } = this.facts;
    const agent = "agent" in operation ? (this.agents[operation.agent] ?? "") : "";
    if (operation.kind === "clock") this.now = operation.to;
    this.now += 1_000;
    ended.set(n, this.endOf(step));
    if (operation.kind === "pay" && expected.outcome === "sent")
      this.transfer(n, operation, this.accounts[operation.from] ?? "");
    if (operation.kind === "refund" || operation.kind === "pay_request")
      this.transfer(n, operation, this.accounts[operation.from] ?? "");
    if (operation.kind === "pay_request") {
      for (const type of ["payment_request.payment_received", "payment_request.paid"])
        this.happens(type, this.accounts[operation.to] ?? "", `tr_${n}`);
    }
    if (operation.kind === "withdraw") this.withdrawal(n, operation);
    if (operation.kind === "pay_failing") this.failing(n, operation);
    if (operation.kind === "schedule") {
      const from = this.accounts[operation.account] ?? "";
      this.transfer(`${n}_run`, operation, from);
      this.facts.runs.push({ step: n, date: operation.start, transfers: [`tr_${n}_run`] });
    }
    if (operation.kind === "payout") {
      const from = this.accounts[operation.from] ?? "";
      for (const [row, payment] of operation.rows.entries()) this.transfer(`${n}_${row}`, payment, from);
      this.happens("payout.finished", from, `po_${n}`);
    }
    if (operation.kind === "agent_pay") {
      if (expected.outcome === "sent") this.transfer(n, operation, agent);
      if (expected.outcome === "awaiting") {
        approvals.set(`txn_${n}`, { status: "pending_approval", overdue: false });
        this.happens("agent.transaction.pending_approval", agent, `txn_${n}`);
      }
    }
    if (operation.kind === "decide" && expected.outcome !== "refused") {
      const status = { approve: "approved", reject: "rejected", expire: "expired" }[operation.decision];
      approvals.set(`txn_${operation.of}`, { status, overdue: false });
      this.happens(`agent.transaction.${status}`, agent, `txn_${operation.of}`);
      if (operation.decision === "approve")
        this.transfer(n, (this.facts.steps[operation.of] as Step).operation as PayoutRow, agent);
    }
    if (operation.kind === "pause") this.happens("agent.paused", agent);
    if (operation.kind === "resume") this.happens("agent.resumed", agent);
    if (operation.kind === "policy") {
      const before = policies.filter((one) => one.agent === agent).at(-1);
      if (before) before.until = this.now;
      policies.push(periodOf(agent, operation.limits, this.now));
      this.happens("agent.policy.updated", agent);
    }
  }

  private endOf({ n, operation, expected }: Step): Ended {
    if (expected.outcome === "refused") return { ...expected };
    if (expected.outcome === "either") return { outcome: "refused", code: "policy_violation" };
    if (operation.kind === "payout") {
      return { outcome: "sent", id: `po_${n}`, ids: operation.rows.map((_, row) => `tr_${n}_${row}`) };
    }
    if (operation.kind === "repeat") return this.facts.ended.get(operation.of) as Ended;
    if (expected.outcome === "sent") return { outcome: "sent", id: `tr_${n}` };
    return { outcome: expected.outcome, id: expected.outcome === "awaiting" ? `txn_${n}` : undefined };
  }

  private failing(n: number, { from, amount }: { from: number; amount: bigint }): void {
    const payer = this.accounts[from] ?? "";
    const about = { id: `tr_${n}`, seenBy: payer, from: payer, to: "fails.test", amount, txHash: `0x${n}` };
    const createdAt = new Date(this.now).toISOString();
    this.facts.transfers.push({ ...about, direction: "sent", status: "failed", createdAt });
    for (const type of ["transfer.initiated", "transfer.failed"]) this.happens(type, payer, about.id, "sent");
  }

  private withdrawal(n: number, { account, address, amount }: Extract<Operation, { kind: "withdraw" }>): void {
    const { facts } = this;
    const from = this.accounts[account] ?? "";
    const about = { id: `tr_${n}`, seenBy: from, from, to: address, amount, txHash: `0x${n}` };
    const createdAt = new Date(this.now).toISOString();
    facts.transfers.push({ ...about, direction: "sent", status: "confirmed", createdAt });
    facts.onChain.add(`0x${n}`);
    facts.withdrawn.set(n, amount);
    facts.held -= amount;
    facts.ledgerGrew -= amount;
    for (const type of ["transfer.initiated", "transfer.confirmed"]) this.happens(type, from, about.id, "sent");
  }

  private transfer(n: number | string, { to: recipient, amount }: PayoutRow, from: string): void {
    const to = this.accounts[recipient] ?? "";
    const { transfers, onChain } = this.facts;
    onChain.add(`0x${n}`);
    for (const [direction, seenBy] of [
      ["sent", from.split("/")[0] ?? ""],
      ["received", to],
    ] as const) {
      const seen: SeenTransfer = {
        id: `tr_${n}`,
        seenBy,
        direction,
        status: "confirmed",
        from,
        to,
        amount,
        txHash: `0x${n}`,
        createdAt: new Date(this.now).toISOString(),
      };
      transfers.push(seen);
      for (const type of ["transfer.initiated", "transfer.confirmed"]) {
        this.happens(type, direction === "sent" ? from : to, seen.id, direction);
      }
    }
  }

  private happens(type: string, account: string, about = "", direction = ""): void {
    const { events, deliveries } = this.facts;
    const seenBy = account.split("/")[0] ?? "";
    const event: SeenEvent = { seenBy, id: `evt_${events.length}`, type, about, direction, account, early: false };
    events.push(event);
    const delivery: SeenDelivery = { seenBy, eventId: event.id };
    deliveries.push(delivery);
  }
}

function periodOf(agent: string, { daily, perTransaction }: Limits, from: number): PolicyPeriod {
  const micro = (usdg: number) => BigInt(usdg) * 1_000_000n;
  return { agent, from, until: Number.POSITIVE_INFINITY, daily: micro(daily), perTransaction: micro(perTransaction) };
}
