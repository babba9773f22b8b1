import { movementName, ownerOf } from "@/scripts/simulate/check-events";
import { Model } from "@/scripts/simulate/model";
import type {
  Facts,
  PolicyPeriod,
  SeenDelivery,
  SeenEvent,
  SeenMovement,
  SeenTransfer,
} from "@/scripts/simulate/observed-facts";
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

/** Facts that a test may change. */
export type DoctoredFacts = { -readonly [Name in keyof Facts]: Changeable<Facts[Name]> };

/** Returns what a product that keeps every promise would leave behind. Each step takes one second. */
export function perfectFacts(seed: number, count: number): DoctoredFacts {
  return new PerfectProduct(seed, count).facts;
}

class PerfectProduct {
  readonly facts: DoctoredFacts;
  private readonly accounts = Array.from({ length: ACCOUNTS }, (_, n) => `party-${n}`);
  private now: number;
  /** The key that each account or agent uses. */
  private readonly keyOf = new Map<string, string>();
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
      minedAt: new Map(),
      logged: new Map(),
      begun: model.setting.start,
      seen: Number.POSITIVE_INFINITY,
      events: [],
      deliveries: [],
      retries: [],
      history: new Set(),
      approvals: new Map(),
      runs: [],
      movements: [],
      keys: [],
      keysGiven: new Map(),
      internal: [],
      contradictions: [],
      policies,
      held: 90_000_000_000_000n,
      balances: new Map(),
      given: new Map(),
      unreadable: 0,
      ledgerGrew: 90_000_000_000_000n,
      deposited: 90_000_000_000_000n,
      withdrawn: new Map(),
      leaks: [],
    };
    const parties = [...this.accounts, ...this.agents];
    for (const party of parties) this.facts.given.set(party, 90_000_000_000_000n / BigInt(parties.length));
    this.facts.balances = new Map(this.facts.given);
    for (const account of parties) this.newKey(account);
    for (const account of this.accounts)
      for (let times = 0; times < 3; times++) this.moves(account, "deposit.confirmed");
    for (const agent of this.agents) this.happens("agent.created", agent, agent);
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
      const id = `run_${n}`;
      this.facts.runs.push({ step: n, id, date: operation.start, status: "paid", transfers: [`tr_${n}_run`] });
      for (const type of ["schedule.due", "schedule.run_paid"]) this.happens(type, from, id);
      this.facts.runs.push({ step: n, id: `${id}_missed`, date: "2027-01-01", status: "missed", transfers: [] });
      this.happens("schedule.run_missed", from, `${id}_missed`);
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
    if (operation.kind === "make_available")
      this.moves(this.accounts[operation.account] ?? "", "balance.made_available");
    if (operation.kind === "new_key") this.replaceKey(this.accounts[operation.account] ?? "");
    if (operation.kind === "rotate") {
      const account = this.accounts[operation.account] ?? "";
      for (const one of [account, ...this.agents.filter((each) => ownerOf(each) === account)]) this.replaceKey(one);
    }
    if (operation.kind === "pause") this.happens("agent.paused", agent, agent);
    if (operation.kind === "resume") this.happens("agent.resumed", agent, agent);
    if (operation.kind === "policy") {
      const before = policies.filter((one) => one.agent === agent).at(-1);
      if (before) before.until = this.now;
      policies.push(periodOf(agent, operation.limits, this.now));
      this.happens("agent.policy.updated", agent, agent);
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
    this.facts.transfers.push({ ...about, direction: "sent", status: "failed", ...this.times(), confirmedAt: null });
    for (const type of ["transfer.initiated", "transfer.failed"]) this.happens(type, payer, about.id, "sent");
  }

  private withdrawal(n: number, { account, address, amount }: Extract<Operation, { kind: "withdraw" }>): void {
    const { facts } = this;
    const from = this.accounts[account] ?? "";
    const about = { id: `tr_${n}`, seenBy: from, from, to: address, amount, txHash: `0x${n}` };
    facts.transfers.push({ ...about, direction: "sent", status: "confirmed", ...this.times() });
    this.mined(`0x${n}`);
    this.moveMoney(from, -amount);
    facts.withdrawn.set(n, amount);
    facts.held -= amount;
    facts.ledgerGrew -= amount;
    for (const type of ["transfer.initiated", "transfer.confirmed"]) this.happens(type, from, about.id, "sent");
  }

  private transfer(n: number | string, { to: recipient, amount }: PayoutRow, from: string): void {
    const to = this.accounts[recipient] ?? "";
    const { transfers } = this.facts;
    this.mined(`0x${n}`);
    this.moveMoney(from, -amount);
    this.moveMoney(to, amount);
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
        ...this.times(),
      };
      transfers.push(seen);
      for (const type of ["transfer.initiated", "transfer.confirmed"]) {
        this.happens(type, direction === "sent" ? from : to, seen.id, direction);
      }
    }
  }

  private times() {
    const at = new Date(this.now).toISOString();
    return { asset: "USDG", createdAt: at, confirmedAt: at as string | null };
  }

  private mined(txHash: string): void {
    this.facts.onChain.add(txHash);
    this.facts.minedAt.set(txHash, this.now);
    this.facts.logged.set(txHash, 1);
  }

  private moveMoney(who: string, amount: bigint): void {
    this.facts.balances.set(who, (this.facts.balances.get(who) ?? 0n) + amount);
  }

  private moves(account: string, type: SeenMovement["type"]): void {
    const { movements } = this.facts;
    const txHash = `0xmove${movements.length}`;
    movements.push({ account, type, txHash });
    this.happens(type, account, movementName(txHash, account));
  }

  private newKey(account: string): void {
    const { keys, keysGiven } = this.facts;
    const id = `key_${keys.length}`;
    keys.push({ seenBy: ownerOf(account), id, revoked: false });
    keysGiven.set(id, "valid");
    this.keyOf.set(account, id);
    this.happens("key.created", account, id);
  }

  private replaceKey(account: string): void {
    const { keys, keysGiven } = this.facts;
    const old = keys.find(({ id }) => id === this.keyOf.get(account));
    if (!old) throw new Error(`${account} has no key`);
    old.revoked = true;
    keysGiven.set(old.id, "revoked");
    this.happens("key.revoked", account, old.id);
    this.newKey(account);
  }

  private happens(type: string, account: string, about: string, direction = ""): void {
    const { events, transfers } = this.facts;
    const transfer = transfers.find(({ id }) => id === about);
    const payload = {
      account: `@${account}`,
      asset: "USDG",
      ...(transfer && { direction, counterparty: direction === "sent" ? transfer.to : transfer.from }),
      ...(transfer && { tx_hash: transfer.txHash }),
    };
    const seenBy = ownerOf(account);
    addEvent(this.facts, { seenBy, id: `evt_${events.length}`, type, about, direction, early: false, payload });
  }
}

/** Adds an event that was delivered. */
export function addEvent(facts: DoctoredFacts, event: SeenEvent): void {
  const { seenBy, id: eventId, payload } = event;
  facts.events.push(event);
  const delivery: SeenDelivery = { seenBy, eventId, payload, signed: true };
  facts.deliveries.push(delivery);
  facts.history.add(`${eventId} at ${seenBy}`);
}

function periodOf(agent: string, { daily, perTransaction }: Limits, from: number): PolicyPeriod {
  const micro = (usdg: number) => BigInt(usdg) * 1_000_000n;
  return { agent, from, until: Number.POSITIVE_INFINITY, daily: micro(daily), perTransaction: micro(perTransaction) };
}
