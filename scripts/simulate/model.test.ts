import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SAFE_BEHIND } from "../stack/anvil";
import { dateIn } from "./calendar";
import { Model } from "./model";
import { amountsOf, FIRST_LIMITS, type Limits, QUIET_FAULTS, type Step } from "./operations";

const STEPS = 300;
const stepsOf = (seed: number): Step[] => {
  const model = new Model(seed);
  return Array.from({ length: STEPS }, () => model.next());
};
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe("the steps of a seed", () => {
  it("are the same each time, and others with another seed", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(stepsOf(seed)).toEqual(stepsOf(seed));
        expect(stepsOf(seed)).not.toEqual(stepsOf(seed + 1));
      }),
      { numRuns: 20 },
    );
  });

  it("begin with those of a shorter run", () => {
    const model = new Model(7);
    const few = Array.from({ length: 40 }, () => model.next());
    expect(stepsOf(7).slice(0, 40)).toEqual(few);
  });

  it("pay amounts that are each one of a kind, and never end in a zero", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const amounts = stepsOf(seed).flatMap(({ operation }) => amountsOf(operation));
        expect(new Set(amounts).size).toBe(amounts.length);
        expect(amounts.every((amount) => amount > 99_999_999_999n && amount % 10n !== 0n)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("decide and repeat only what an earlier step of the same lane has left to be", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const steps = stepsOf(seed);
        const decided = new Set<number>();
        for (const { n, lane, operation, expected } of steps) {
          if (operation.kind !== "decide" && operation.kind !== "repeat") continue;
          const of = steps[operation.of] as Step;
          expect(of.n).toBeLessThan(n);
          expect(of.lane).toBe(lane);
          expect(of.expected.outcome).toBe(operation.kind === "decide" ? "awaiting" : "sent");
          if (operation.kind === "repeat" || expected.outcome === "refused") continue;
          expect(decided.has(of.n), "decided once").toBe(false);
          decided.add(of.n);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("repeat no request that the service may have forgotten", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const model = new Model(seed);
        let now = model.setting.start;
        const at = Array.from({ length: STEPS }, () => {
          const { operation } = model.next();
          if (operation.kind === "clock") now = operation.to;
          return { now, operation };
        });
        for (const { now: repeated, operation } of at) {
          if (operation.kind !== "repeat") continue;
          expect(repeated - (at[operation.of]?.now ?? 0)).toBeLessThan(23 * 3_600_000);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("repeat at the end every payment that the service remembers", () => {
    const model = new Model(7);
    const steps = Array.from({ length: STEPS }, () => model.next());
    const since = steps.findLastIndex(({ operation }) => ["clock", "rotate", "new_key"].includes(operation.kind));
    const paid = steps.filter(({ n, operation, expected }) => {
      const isPayment = ["pay", "agent_pay", "payout"].includes(operation.kind);
      return n > since && isPayment && expected.outcome === "sent";
    });
    expect(paid.length).toBeGreaterThan(0);
    const repeated = new Set(model.repetitions().map(({ operation }) => "of" in operation && operation.of));
    expect(paid.filter(({ n }) => !repeated.has(n))).toEqual([]);
  });

  it("never let more pass than a policy says, counted again from the steps alone", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const model = new Model(seed);
        const { zones, start } = model.setting;
        let now = start;
        let days = zones.map((zone) => dateIn(zone, now));
        const steps = Array.from({ length: STEPS }, () => model.next());
        const amountOf = (n: number) => {
          const { operation } = steps[n] as Step;
          return "amount" in operation ? operation.amount : 0n;
        };
        const limits = new Map<number, Limits>();
        const spent = new Map<number, bigint>();
        const paused = new Set<number>();
        for (const { n, operation, expected } of steps) {
          if (operation.kind === "policy") limits.set(operation.agent, operation.limits);
          if (operation.kind === "pause") paused.add(operation.agent);
          if (operation.kind === "resume") paused.delete(operation.agent);
          if (operation.kind === "clock") {
            expect(operation.to - now, "it goes on, and by more than an hour").toBeGreaterThan(3_600_000);
            now = operation.to;
            const dates = zones.map((zone) => dateIn(zone, now));
            for (const [agent, date] of dates.entries()) if (date !== days[agent]) spent.delete(agent);
            days = dates;
          }
          const approves = operation.kind === "decide" && operation.decision === "approve";
          if (expected.outcome !== "sent" || (operation.kind !== "agent_pay" && !approves)) continue;
          const { agent } = operation;
          const { daily, perTransaction, threshold } = limits.get(agent) ?? FIRST_LIMITS;
          const amount = amountOf(approves ? operation.of : n);
          const total = (spent.get(agent) ?? 0n) + amount;
          spent.set(agent, total);
          expect(paused.has(agent)).toBe(false);
          expect(total <= BigInt(daily) * 1_000_000n).toBe(true);
          expect(amount <= BigInt(perTransaction) * 1_000_000n).toBe(true);
          if (!approves) expect(amount <= BigInt(threshold) * 1_000_000n).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("kill no process more often in a row than its supervisor starts it again", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const inARow = new Map<string, number>();
        for (const { operation } of stepsOf(seed)) {
          if (operation.kind !== "kill") continue;
          if (operation.part === "supervisor") inARow.clear();
          else inARow.set(operation.part, (inARow.get(operation.part) ?? 0) + 1);
          const database = inARow.get("postgres") ?? 0;
          for (const part of ["web", "worker", "web-2", "worker-2"]) {
            expect((inARow.get(part) ?? 0) + database).toBeLessThanOrEqual(4);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it("have each quiet fault in them within as many as a run of two minutes takes, almost always", () => {
    const all = Array.from({ length: 100 }, (_, seed) => stepsOf(seed).slice(0, 80));
    const whole = all.filter((steps) => {
      const kinds = new Set(steps.map(({ operation }) => operation.kind));
      return QUIET_FAULTS.every((kind) => kinds.has(kind));
    });
    expect(whole.length).toBeGreaterThan(90);
  });

  it("take no block away that counts as final", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { finality } = new Model(seed).setting;
        const depths = stepsOf(seed).flatMap(({ operation }) =>
          operation.kind === "reorganize" ? [operation.depth] : [],
        );
        if (finality === "latest") expect(depths).toEqual([]);
        else expect(Math.max(...depths)).toBeLessThan(SAFE_BEHIND);
      }),
      { numRuns: 20 },
    );
  });

  it("have everything in them that there is to do, over a few seeds", () => {
    const kinds = new Set([1, 2, 3].flatMap((seed) => stepsOf(seed).map(({ operation }) => operation.kind)));
    const all = [
      "agent_pay",
      "clock",
      "clock_ahead",
      "decide",
      "endpoint",
      "fill_disk",
      "freeze",
      "hold_locks",
      "kill",
      "lie",
      "make_available",
      "new_key",
      "pause",
      "pay",
      "pay_failing",
      "pay_request",
      "pay_revoked",
      "payout",
      "policy",
      "refund",
      "reorganize",
      "repeat",
      "resume",
      "rotate",
      "rpc",
      "run_due",
      "schedule",
      "silence",
      "take_connections",
      "webhook_secret",
      "withdraw",
    ];
    expect([...kinds].sort()).toEqual(all);
    const outcomes = new Set([1, 2, 3].flatMap((seed) => stepsOf(seed).map(({ expected }) => expected.outcome)));
    expect(outcomes).toEqual(new Set(["sent", "awaiting", "refused", "done", "either"]));
  });
});
