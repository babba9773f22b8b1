import { mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Hex } from "viem";
import { startWeb, type WebProcess } from "@/test/services/start-web";
import { expect } from "./fixtures";
import { type RawAnswer, withKey } from "./http";

/** Of one day, in units of USDG. */
export const LIMIT = 30_000_000_000n;
/** Set DAILY_LIMIT_SEED to repeat a run. */
export const SEED = Number(process.env.DAILY_LIMIT_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Of this test alone: clocks of its processes, a client's configuration. */
export const folder = mkdtempSync(path.join(tmpdir(), "halcyon-daily-limit-"));
/** Units as the API takes them. */
export const decimal = (units: bigint) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;

/** Mulberry32: repeatable by its seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = seeded(SEED);
const used = new Set<bigint>();

/** Between 100 and 2,300 USDG, each amount once: a payment is known by it. */
export function newAmount(): bigint {
  const units = 100_000_000n + BigInt(Math.floor(random() * 2_200_000_000));
  if (used.has(units)) return newAmount();
  used.add(units);
  return units;
}

/** A zone in which it is between 10 and 70 minutes before midnight, and how far that is, in milliseconds. */
export function zoneBeforeMidnight(now: Date): { zone: string; hours: number; toMidnight: number } {
  const minutes = now.getUTCMinutes();
  const wanted = minutes < 50 ? 23 : 22;
  const hours = ((wanted - now.getUTCHours() + 36) % 24) - 12;
  const left = (24 - wanted) * 60 - minutes;
  // In `Etc` names the sign is the other way round.
  return { zone: `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`, hours, toMidnight: left * 60_000 };
}

/** A web process with a clock of its own. */
export class Process {
  private server?: WebProcess;

  constructor(
    private readonly name: string,
    private readonly keys: string[],
  ) {}

  private get file(): string {
    return path.join(folder, `${this.name}.json`);
  }

  set(state: { ahead: number; hold?: boolean }): Promise<void> {
    writeFileSync(`${this.file}.new`, JSON.stringify({ hold: false, ...state }));
    renameSync(`${this.file}.new`, this.file);
    // It looks every 20 ms.
    return new Promise((resolve) => setTimeout(resolve, 200));
  }

  async start(): Promise<void> {
    const preload = path.resolve(import.meta.dirname, "../odd-clock.mjs");
    this.server = await startWeb({ NODE_OPTIONS: `--import=${preload}`, ODD_CLOCK_FILE: this.file });
  }

  async kill(): Promise<void> {
    await this.server?.kill();
  }

  /** The response; null when the process died over it. */
  async pay(to: string, units: bigint): Promise<RawAnswer | null> {
    const key = this.keys[Number(units % BigInt(this.keys.length))] ?? "";
    const call = withKey(this.server?.url ?? "", key);
    return call("POST", "/v1/transfers", { to, amount: decimal(units) }).catch(() => null);
  }
}

/** A payment that was asked for. */
export interface Sent {
  units: bigint;
  /** 0: the day on which the test began in the policy's zone; 1: the next. */
  day: number;
  phase: number;
  /** `busy`: so many at once were too much for this machine, and this one was not carried out. */
  outcome: "accepted" | "refused" | "busy" | "unknown";
}

/** What a response says of a payment; the one refusal of the policy is that of the daily limit. */
export function outcomeOf(response: RawAnswer | null): Sent["outcome"] {
  if (response === null) return "unknown";
  if (response.status === 201) return "accepted";
  if (response.status === 503) {
    expect(response.json.error).toMatchObject({ code: "unavailable" });
    return "busy";
  }
  expect(response.json.error, response.text).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
  return "refused";
}

/** A payment as the owner's keys open it. */
export interface Paid {
  units: bigint;
  status: string;
  day: number;
  txHash: Hex;
}

export const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);

/** What went through on a day. */
export const spentOn = (paid: Paid[], day: number) =>
  sum(paid.filter((each) => each.day === day && each.status === "confirmed").map(({ units }) => units));

/**
 * The verdict over everything that was sent and everything the owner's keys open as paid. Over each phase of each day
 * what was executed before, and all of what was begun in it, stays within the limit.
 *
 * @param reverted what failed on chain, and nothing else may have
 */
export function expectWithinLimit(sent: Sent[], paid: Paid[], reverted: bigint[], lastPhase: number): void {
  expect(sent.length).toBeGreaterThanOrEqual(300);
  const known = new Map(paid.map((each) => [each.units, each]));
  expect(known.size, "no payment was made twice").toBe(paid.length);
  for (const { units, day, outcome } of sent) {
    const found = known.get(units);
    if (outcome === "accepted") expect(found, "an accepted payment is there").toMatchObject({ day });
    if (outcome === "refused" || outcome === "busy") expect(found, "a refused payment is not").toBeUndefined();
    // No one heard how it ended: it counts where it was to be made.
    if (found) expect(found.day).toBe(day);
  }
  const phaseOf = new Map(sent.map((each) => [each.units, each.phase]));
  expect(
    paid.every(({ units }) => phaseOf.has(units)),
    "nothing was paid that was not asked for",
  ).toBe(true);
  for (const day of [0, 1]) {
    const ofDay = paid
      .filter((each) => each.day === day)
      .map((each) => ({ ...each, phase: phaseOf.get(each.units) ?? -1 }));
    for (let now = 0; now <= lastPhase; now++) {
      const executed = ofDay.filter((each) => each.phase < now && each.status === "confirmed");
      const begun = ofDay.filter((each) => each.phase === now);
      const total = sum([...executed, ...begun].map(({ units }) => units));
      expect(total <= LIMIT, `day ${day}, phase ${now}: executed and in flight stay within the limit`).toBe(true);
      for (const { units } of sent.filter(
        (each) => each.day === day && each.phase === now && each.outcome === "refused",
      )) {
        expect(units + total > LIMIT, "what was refused did not fit").toBe(true);
      }
    }
    expect(spentOn(paid, day), `day ${day} was used up exactly`).toBe(LIMIT);
  }
  const failed = paid.filter(({ status }) => status !== "confirmed");
  expect(failed.map(({ units }) => units).sort()).toEqual([...reverted].sort());
}
