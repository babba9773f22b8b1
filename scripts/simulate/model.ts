import { numberToHex } from "viem";
import { Random } from "../fuzz/random";
import type { Part } from "../kill/product";
import { SAFE_BEHIND } from "../stack/anvil";
import { dateIn, momentsAfter, type Setting, settingOf } from "./calendar";
import {
  ACCOUNTS,
  AGENTS,
  ALONE,
  type Decision,
  type Expected,
  FIRST_LIMITS,
  type Limits,
  LOCKED_TABLES,
  type Operation,
  QUIET_FAULTS,
  RPC_LIES,
  RPC_TROUBLES,
  type Step,
} from "./operations";

/** More than any account ever has. */
const OVERDRAWN = 400_000_000_000_000n;
/** In millionths, twelve digits each: no such number turns up by accident where one is looked for. */
const LEAST = 100_000_000_000n;
const MOST = 300_000_000_000n;
const USDG = 1_000_000n;

/** The supervisor gives up a process that it had to start again more often than this within half a minute. */
const MOST_KILLS_IN_A_ROW = 4;

/** How long a quiet fault lasts: also longer than any client of PostgreSQL waits for a response. */
const QUIET_SECONDS = [1, 2, 4, 8, 15];

/** How long a payment awaits approval, and by how much a run may be behind or ahead of the model. */
const WINDOW_MS = 86_400_000;
const DOUBT_MS = 2 * 3_600_000;
/** How long the service knows an idempotency key: after that, the same request is another one. */
const REMEMBERED_MS = 86_400_000;

interface Awaiting {
  step: number;
  amount: bigint;
  /** When it was asked for. */
  at: number;
}

/** A payment of which a part may go back, and its step. */
interface RefundablePayment {
  of: number;
  from: number;
  to: number;
  amount: bigint;
}

interface ModelAgent {
  limits: Limits;
  paused: boolean;
  zone: string;
  /** Of this day, in millionths: at least, and at most. They differ while it is not certain which day it is. */
  least: bigint;
  most: bigint;
  awaiting: Awaiting[];
  /** What was rejected or has expired, and how its approval is refused from then on. */
  closed: { step: number; code: string }[];
}

/** How often each operation is drawn, of the sum of all. */
const WEIGHTS = {
  pay: 30,
  agent_pay: 34,
  repeat: 7,
  decide: 14,
  policy: 7,
  pause: 4,
  make_available: 4,
  kill: 30,
  quiet: 44,
  clock: 5,
  rpc: 7,
  lie: 9,
  reorganize: 9,
  payout: 4,
  pay_failing: 3,
  schedule: 2,
  run_due: 6,
  refund: 5,
  pay_request: 5,
  withdraw: 3,
  new_key: 3,
  pay_revoked: 3,
  rotate: 4,
  webhook_secret: 2,
  endpoint: 3,
} as const;
const KINDS = Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][];
const TOTAL = KINDS.reduce((sum, [, weight]) => sum + weight, 0);

/**
 * What happens in a run, and how each of it has to end: both follow from the seed alone, whatever the product does and
 * however fast. It knows no more of the product than its promises.
 */
export class Model {
  private readonly random: Random;
  readonly setting: Setting;
  private readonly agents: ModelAgent[];
  /** Whether it may become another day at any moment. */
  private nearMidnight = false;
  private now: number;
  private readonly steps: Step[] = [];
  private readonly amounts = new Set<bigint>();
  private readonly killed = new Map<Part, number>();
  /** Those that are left of this round. */
  private quiet: (typeof QUIET_FAULTS)[number][] = [];
  /** How often the keys of each account's programs were replaced. */
  private readonly keys = Array.from({ length: ACCOUNTS }, () => 0);
  /** Steps that paid with an API key that still is: who paid, and when. */
  private readonly paid = new Map<number, { payer: number; at: number }>();
  /** Payments between accounts of which nothing went back yet. */
  private readonly refundable: RefundablePayment[] = [];

  constructor(readonly seed: number) {
    this.random = new Random(Math.imul(seed, 0x9e3779b1));
    this.setting = settingOf((list) => this.random.pick(list));
    this.now = this.setting.start;
    this.agents = Array.from({ length: AGENTS }, (_, n) => ({
      limits: FIRST_LIMITS,
      paused: false,
      zone: this.setting.zones[n] ?? "UTC",
      least: 0n,
      most: 0n,
      awaiting: [],
      closed: [],
    }));
  }

  /** The next step; there is always one. */
  next(): Step {
    for (;;) {
      const drawn = this.draw();
      if (!drawn) continue;
      const step = { n: this.steps.length, ...drawn };
      this.steps.push(step);
      const { operation, expected } = step;
      if (expected.outcome === "sent") {
        const at = this.now;
        if (operation.kind === "pay" || operation.kind === "payout")
          this.paid.set(step.n, { payer: operation.from, at });
        if (operation.kind === "pay") this.refundable.push({ of: step.n, ...operation });
        if (operation.kind === "agent_pay") this.paid.set(step.n, { payer: operation.agent, at });
      }
      return step;
    }
  }

  private draw(): Omit<Step, "n"> | undefined {
    const kind = this.kind();
    switch (kind) {
      case "pay":
        return this.pay();
      case "agent_pay":
        return this.agentPay();
      case "repeat":
        return this.repeat();
      case "decide":
        return this.decide();
      case "policy":
        return this.policy();
      case "pause":
        return this.pauseOrResume();
      case "make_available": {
        const account = this.random.below(ACCOUNTS);
        return { lane: `account-${account}`, operation: { kind, account }, expected: { outcome: "done" } };
      }
      case "kill":
        return this.kill();
      case "quiet": {
        const operation = this.quietFault();
        return operation && { lane: "faults", operation, expected: { outcome: "done" } };
      }
      case "clock":
        return this.clock();
      case "payout":
        return this.payout();
      case "pay_failing": {
        const from = this.random.below(ACCOUNTS);
        const operation: Operation = { kind, from, amount: this.amount(LEAST, MOST), key: this.key() };
        return { lane: `account-${from}`, operation, expected: { outcome: "sent" } };
      }
      case "schedule":
        return this.schedule();
      case "run_due": {
        const account = this.random.below(ACCOUNTS);
        const operation: Operation = { kind, account, by: this.random.pick(["wallet", "key"]) };
        return { lane: `account-${account}`, operation, expected: { outcome: "done" } };
      }
      case "webhook_secret": {
        const account = this.random.below(ACCOUNTS);
        return { lane: `account-${account}`, operation: { kind, account }, expected: { outcome: "done" } };
      }
      case "new_key":
      case "rotate": {
        const account = this.random.below(ACCOUNTS);
        this.replaceKeys(account);
        // Others use these keys too.
        return { lane: ALONE, operation: { kind, account }, expected: { outcome: "done" } };
      }
      case "pay_revoked":
        return this.payRevoked();
      case "refund":
        return this.refund();
      case "pay_request": {
        const from = this.random.below(ACCOUNTS);
        const payment = { from, to: this.other(from), amount: this.amount(LEAST, MOST), key: this.key() };
        const operation: Operation = { kind, ...payment, by: this.random.pick(["wallet", "key"]) };
        return { lane: `account-${from}`, operation, expected: { outcome: "sent" } };
      }
      case "withdraw": {
        const account = this.random.below(ACCOUNTS);
        // Far from every address that has a meaning.
        const address = numberToHex(2n ** 159n + BigInt(this.steps.length), { size: 20 });
        const operation: Operation = { kind, account, address, amount: this.amount(LEAST, MOST), key: this.key() };
        return { lane: `account-${account}`, operation, expected: { outcome: "sent" } };
      }
      case "endpoint": {
        const account = this.random.below(ACCOUNTS);
        const operation = { kind, account, seconds: 1 + this.random.below(8) } as const;
        return { lane: `endpoint-${account}`, operation, expected: { outcome: "done" } };
      }
      case "reorganize": {
        if (this.setting.finality === "latest") return undefined;
        // A final block stays.
        const operation = {
          kind,
          depth: 1 + this.random.below(SAFE_BEHIND - 1),
          again: this.random.chance(0.5),
        } as const;
        return { lane: "chain", operation, expected: { outcome: "done" } };
      }
      case "rpc": {
        const operation = { kind, mode: this.random.pick(RPC_TROUBLES), seconds: 1 + this.random.below(8) } as const;
        return { lane: "chain", operation, expected: { outcome: "done" } };
      }
      case "lie": {
        if (!this.setting.hasSecondNode) return undefined;
        const operation = { kind, mode: this.random.pick(RPC_LIES), seconds: 1 + this.random.below(8) } as const;
        return { lane: "chain", operation, expected: { outcome: "done" } };
      }
    }
  }

  private kind(): keyof typeof WEIGHTS {
    let left = this.random.below(TOTAL);
    for (const [kind, weight] of KINDS) {
      if (left < weight) return kind;
      left -= weight;
    }
    throw new Error("the weights do not add up");
  }

  /** An amount that no other payment has, within bounds. */
  private amount(least: bigint, most: bigint): bigint {
    for (;;) {
      const amount = least + BigInt(Math.floor(this.random.next() * Number(most - least)));
      // One that ends in zeros is shorter as a text.
      if (amount % 10n === 0n || this.amounts.has(amount)) continue;
      this.amounts.add(amount);
      return amount;
    }
  }

  private key(): string {
    return `simulated-${this.seed}-${this.steps.length}`;
  }

  private other(account: number): number {
    return (account + 1 + this.random.below(ACCOUNTS - 1)) % ACCOUNTS;
  }

  private replaceKeys(account: number): void {
    this.keys[account] = (this.keys[account] ?? 0) + 1;
    // Another API key's requests are other ones, even with the same idempotency key.
    for (const [n, { payer }] of this.paid) if (payer === account) this.paid.delete(n);
  }

  private payout(): Omit<Step, "n"> {
    const from = this.random.below(ACCOUNTS);
    const count = 2 + this.random.below(6);
    const rows = Array.from({ length: count }, () => ({ to: this.other(from), amount: this.amount(LEAST, MOST) }));
    const operation: Operation = { kind: "payout", from, rows, key: this.key() };
    return { lane: `account-${from}`, operation, expected: { outcome: "sent" } };
  }

  private schedule(): Omit<Step, "n"> {
    const account = this.random.below(ACCOUNTS);
    const zone = this.setting.zones[0];
    const about = { zone, start: dateIn(zone, this.now), key: this.key() };
    const amount = this.amount(LEAST, MOST);
    const operation: Operation = { kind: "schedule", account, to: this.other(account), amount, ...about };
    return { lane: `account-${account}`, operation, expected: { outcome: "done" } };
  }

  private payRevoked(): Omit<Step, "n"> | undefined {
    const from = this.random.below(ACCOUNTS);
    if (this.keys[from] === 0) return undefined;
    const amount = this.amount(LEAST, MOST);
    const operation: Operation = { kind: "pay_revoked", from, to: this.other(from), amount, key: this.key() };
    return { lane: `account-${from}`, operation, expected: { outcome: "refused", code: "unauthorized" } };
  }

  private refund(): Omit<Step, "n"> | undefined {
    const payments = this.refundable.filter(({ amount }) => amount > LEAST + USDG);
    if (payments.length === 0) return undefined;
    const { of, from: to, to: from, amount: most } = this.random.pick(payments);
    this.refundable.splice(0, this.refundable.length, ...this.refundable.filter((one) => one.of !== of));
    const about = { of, from, to, amount: this.amount(LEAST, most), key: this.key() };
    const operation: Operation = { kind: "refund", ...about, by: this.random.pick(["wallet", "key"]) };
    return { lane: `account-${from}`, operation, expected: { outcome: "sent" } };
  }

  private pay(): Omit<Step, "n"> {
    const from = this.random.below(ACCOUNTS);
    const tooMuch = this.random.chance(0.06);
    const amount = tooMuch ? this.amount(OVERDRAWN, OVERDRAWN + MOST) : this.amount(LEAST, MOST);
    const expected: Expected = tooMuch ? { outcome: "refused", code: "insufficient_balance" } : { outcome: "sent" };
    const operation = { kind: "pay", from, to: this.other(from), amount, key: this.key() } as const;
    return { lane: `account-${from}`, operation, expected };
  }

  private agentPay(): Omit<Step, "n"> {
    const agent = this.random.below(AGENTS);
    const amount = this.amount(LEAST, MOST);
    const operation = { kind: "agent_pay", agent, to: this.other(agent), amount, key: this.key() } as const;
    return { lane: `agent-${agent}`, operation, expected: this.judge(agent, amount) };
  }

  /** What the agent's policy makes of a payment now; what it lets pass is counted. */
  private judge(agent: number, amount: bigint): Expected {
    const state = this.agents[agent] as ModelAgent;
    const refusal = this.refusal(state, amount);
    if (refusal) return refusal;
    if (!this.surelyFits(state, amount)) {
      state.most += amount;
      return { outcome: "either" };
    }
    if (amount > BigInt(state.limits.threshold) * USDG) {
      state.awaiting.push({ step: this.steps.length, amount, at: this.now });
      return { outcome: "awaiting" };
    }
    this.spend(state, amount);
    return { outcome: "sent" };
  }

  private spend(state: ModelAgent, amount: bigint): void {
    state.most += amount;
    // Near midnight it may count for the day that ends.
    if (!this.nearMidnight) state.least += amount;
  }

  /** Why a payment is refused for certain. */
  private refusal({ paused, limits, least }: ModelAgent, amount: bigint): Expected | undefined {
    const refused = (reason: string): Expected => ({ outcome: "refused", code: "policy_violation", reason });
    if (paused) return refused("agent_paused");
    if (amount > BigInt(limits.perTransaction) * USDG) return refused("per_transaction_limit");
    if (least + amount > BigInt(limits.daily) * USDG) return refused("daily_limit");
    return undefined;
  }

  private surelyFits({ limits, most }: ModelAgent, amount: bigint): boolean {
    return most + amount <= BigInt(limits.daily) * USDG;
  }

  /** The same request with the same key again, while the service remembers it (24 hours). */
  private repeat(): Omit<Step, "n"> | undefined {
    const paid = this.remembered();
    return paid.length === 0 ? undefined : repetitionOf(this.random.pick(paid));
  }

  /** Steps that repeat every payment that the service remembers, after all others. */
  repetitions(): Step[] {
    const first = this.steps.length;
    return this.remembered().map((step, n) => ({ n: first + n, ...repetitionOf(step) }));
  }

  private remembered(): Step[] {
    return this.steps.filter(({ n }) => {
      const { at } = this.paid.get(n) ?? { at: Number.NEGATIVE_INFINITY };
      return this.now - at < REMEMBERED_MS - DOUBT_MS;
    });
  }

  private decide(): Omit<Step, "n"> | undefined {
    const agent = this.random.below(AGENTS);
    const state = this.agents[agent] as ModelAgent;
    const lane = `agent-${agent}`;
    if (state.closed.length > 0 && this.random.chance(0.3)) {
      const { step, code } = this.random.pick(state.closed);
      const operation: Operation = { kind: "decide", agent, of: step, decision: "approve" };
      return { lane, operation, expected: { outcome: "refused", code } };
    }
    if (state.awaiting.length === 0) return undefined;
    const { step, amount } = this.random.pick(state.awaiting);
    const wanted: Decision = this.random.pick(["approve", "approve", "reject", "expire"]);
    const refusal = this.refusal(state, amount);
    // Whether there is room for it must be certain: what became of it decides what can become of it later.
    const decision = wanted === "approve" && !refusal && !this.surelyFits(state, amount) ? "reject" : wanted;
    const operation: Operation = { kind: "decide", agent, of: step, decision };
    // It goes on waiting: the owner may approve it once the policy allows it.
    if (decision === "approve" && refusal) return { lane, operation, expected: refusal };
    state.awaiting = state.awaiting.filter((one) => one.step !== step);
    if (decision === "approve") this.spend(state, amount);
    else state.closed.push({ step, code: decision === "reject" ? "transaction_not_found" : "transaction_expired" });
    return { lane, operation, expected: { outcome: decision === "approve" ? "sent" : "done" } };
  }

  private policy(): Omit<Step, "n"> {
    const agent = this.random.below(AGENTS);
    const limits = {
      daily: 100_000 * (4 + this.random.below(20)),
      perTransaction: 10_000 * (18 + this.random.below(13)),
      threshold: 10_000 * (11 + this.random.below(12)),
    };
    const state = this.agents[agent] as ModelAgent;
    // The ledger takes no threshold above the limit of a payment from anyone.
    limits.threshold = Math.min(limits.threshold, limits.perTransaction);
    state.limits = limits;
    const by = this.random.pick(["wallet", "key"] as const);
    const operation: Operation = { kind: "policy", agent, limits, by };
    return { lane: `agent-${agent}`, operation, expected: { outcome: "done" } };
  }

  private pauseOrResume(): Omit<Step, "n"> {
    const agent = this.random.below(AGENTS);
    const state = this.agents[agent] as ModelAgent;
    state.paused = !state.paused;
    const operation: Operation = { kind: state.paused ? "pause" : "resume", agent };
    return { lane: `agent-${agent}`, operation, expected: { outcome: "done" } };
  }

  private kill(): Omit<Step, "n"> | undefined {
    const { services } = this.setting;
    const part = this.random.pick([...services, ...services, "postgres", "anvil-46630", "supervisor"] as const);
    if (!this.mayEnd(part)) return undefined;
    return { lane: "faults", operation: { kind: "kill", part }, expected: { outcome: "done" } };
  }

  /** Whether a part may end now without its supervisor giving up; counts it. */
  private mayEnd(part: Part): boolean {
    const { services } = this.setting;
    const times = (of: Part) => this.killed.get(of) ?? 0;
    // Web or worker may end with the database's connections (docs/design/operations.md).
    const ended = part === "postgres" ? Math.max(...services.map(times)) : times("postgres");
    const inARow = times(part) + (part === "anvil-46630" ? 0 : ended);
    if (part !== "supervisor" && inARow >= MOST_KILLS_IN_A_ROW) return false;
    if (part === "supervisor") this.killed.clear();
    else this.killed.set(part, times(part) + 1);
    return true;
  }

  /** Each of them once, in any order, and then again. */
  private quietFault(): Operation | undefined {
    if (this.quiet.length === 0) this.quiet = [...QUIET_FAULTS];
    const kind = this.random.pick(this.quiet);
    const seconds = this.random.pick(QUIET_SECONDS);
    const { services } = this.setting;
    // Its connections end with it.
    if ((kind === "silence" || kind === "take_connections") && !this.mayEnd("postgres")) return undefined;
    this.quiet = this.quiet.filter((one) => one !== kind);
    switch (kind) {
      case "freeze":
        return { kind, part: this.random.pick([...services, "postgres", "anvil-46630", "supervisor"]), seconds };
      case "silence": {
        const silence = { later: this.random.chance(0.5), end: this.random.pick(["resumes", "cut"] as const), seconds };
        return { kind, to: this.random.pick(["postgres", "node"] as const), ...silence };
      }
      case "hold_locks":
        return { kind, table: this.random.pick(LOCKED_TABLES), seconds };
      case "clock_ahead": {
        const part = this.random.pick(services.filter((one) => one.startsWith("web")));
        // Less than by how much a run may be ahead of the model.
        return { kind, part, minutes: 20 + this.random.below(60), seconds };
      }
      default:
        return { kind, seconds };
    }
  }

  private clock(): Omit<Step, "n"> {
    const { clear, near } = momentsAfter(this.setting, this.now, this.random.below(9));
    const toMidnight = !this.nearMidnight && near.length > 0 && this.random.chance(0.5);
    const to = this.random.pick(toMidnight ? near : clear);
    for (const state of this.agents) this.passTime(state, to, toMidnight);
    for (const state of this.agents) {
      const waited = (one: Awaiting) => to - one.at - WINDOW_MS;
      const expired = state.awaiting.filter((one) => waited(one) > DOUBT_MS);
      state.closed.push(...expired.map(({ step }) => ({ step, code: "transaction_expired" })));
      state.awaiting = state.awaiting.filter((one) => waited(one) < -DOUBT_MS);
    }
    this.now = to;
    this.nearMidnight = toMidnight;
    return { lane: ALONE, operation: { kind: "clock", to }, expected: { outcome: "done" } };
  }

  /** What of an agent's payments still counts then. */
  private passTime(state: ModelAgent, to: number, toMidnight: boolean): void {
    const sameDay = dateIn(state.zone, this.now) === dateIn(state.zone, to);
    if (toMidnight) {
      // Whether the day that begins soon has begun is not certain from now on.
      if (!sameDay) state.most = 0n;
      state.least = 0n;
    } else if (this.nearMidnight || !sameDay) {
      // What was paid around midnight may count for either day.
      if (!this.nearMidnight) state.most = 0n;
      state.least = 0n;
    }
  }
}

const repetitionOf = ({ n, lane }: Step): Omit<Step, "n"> => {
  return { lane, operation: { kind: "repeat", of: n }, expected: { outcome: "sent" } };
};
