import { randomUUID } from "node:crypto";
import { mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { asOwner } from "@/test/services/as-owner";
import { startWeb, type WebProcess } from "@/test/services/start-web";
import { expect } from "./fixtures";
import { type RawAnswer, withKey } from "./http";

/** The daily limit, in units of USDG. */
export const LIMIT = 30_000_000_000n;
/** Set DAILY_LIMIT_SEED to repeat a run. */
export const SEED = Number(process.env.DAILY_LIMIT_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** This test's own folder, for its processes' clocks and a client's configuration. */
export const folder = mkdtempSync(path.join(tmpdir(), "halcyon-daily-limit-"));
/** Formats units for the API. */
export const decimal = (units: bigint) => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;

/** Mulberry32, a seeded random number generator. */
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

/**
 * Returns a unique amount between 400 and 4,800 USDG, which identifies its payment. Some 12 use up a day, and almost
 * twice as many ask at once.
 */
export function newAmount(): bigint {
  const units = 400_000_000n + BigInt(Math.floor(random() * 4_400_000_000));
  if (used.has(units)) return newAmount();
  used.add(units);
  return units;
}

/** Returns a time zone in which midnight is 30 to 90 minutes away, and how far, in milliseconds. */
export function zoneBeforeMidnight(now: Date): { zone: string; hours: number; toMidnight: number } {
  const minutes = now.getUTCMinutes();
  const wanted = minutes < 30 ? 23 : 22;
  const hours = ((wanted - now.getUTCHours() + 36) % 24) - 12;
  const left = (24 - wanted) * 60 - minutes;
  // `Etc` names have the opposite sign.
  return { zone: `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`, hours, toMidnight: left * 60_000 };
}

/** Refusals of a request that decide nothing: the same one is to come again. */
const LATER = ["idempotency_in_progress", "rate_limited"];

/**
 * A web process with its own clock. A process that is ahead of its database signs nothing, so the clock that it
 * is compared with is ahead on its connections too: a function of its own stands in front of PostgreSQL's.
 */
export class Process {
  private server?: WebProcess;

  constructor(
    private readonly name: string,
    private readonly keys: string[],
  ) {}

  private get file(): string {
    return path.join(folder, `${this.name}.json`);
  }

  private get schema(): string {
    return `clock_${this.name}`;
  }

  async set(state: { ahead: number; hold?: boolean }): Promise<void> {
    await asOwner((sql) =>
      sql.unsafe(`create schema if not exists ${this.schema}; grant usage on schema ${this.schema} to public;
        create or replace function ${this.schema}.clock_timestamp() returns timestamptz language sql volatile
          as $$select pg_catalog.clock_timestamp() + interval '${state.ahead} milliseconds'$$;`),
    );
    writeFileSync(`${this.file}.new`, JSON.stringify({ hold: false, ...state }));
    renameSync(`${this.file}.new`, this.file);
    // The process reads its clock file every 20 ms.
    await sleep(200);
  }

  async start(): Promise<void> {
    const preload = path.resolve(import.meta.dirname, "../odd-clock.mjs");
    const clock = { ODD_CLOCK_FILE: this.file, SEARCH_PATH: `${this.schema},pg_catalog,public` };
    this.server = await startWeb({ NODE_OPTIONS: `--import=${preload}`, ...clock });
  }

  async kill(): Promise<void> {
    await this.server?.kill();
  }

  /**
   * Returns the response, or null if the process died before it responded. A request that is not decided in time is
   * repeated, as clients do.
   */
  async pay(to: string, units: bigint): Promise<RawAnswer | null> {
    const key = this.keys[Number(units % BigInt(this.keys.length))] ?? "";
    const call = withKey(this.server?.url ?? "", key);
    const headers = { "idempotency-key": randomUUID() };
    for (;;) {
      const response = await call("POST", "/v1/transfers", { to, amount: decimal(units) }, headers).catch(() => null);
      if (!LATER.includes(response?.json.error?.code ?? "")) return response;
      await sleep(1000 * Number(response?.headers["retry-after"] ?? 1));
    }
  }
}

/** A payment that was requested. */
export interface Sent {
  units: bigint;
  /** 0 for the day on which the test began, in the policy's time zone; 1 for the next day. */
  day: number;
  phase: number;
  /** `busy`: the payment was not carried out, because there were too many at once for this machine. */
  outcome: "accepted" | "refused" | "busy" | "unknown";
}

/** Returns the outcome of a payment, from its response. The policy's only refusal is that of the daily limit. */
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

/** A payment as decrypted with the owner's keys. */
export interface Paid {
  units: bigint;
  status: string;
  day: number;
  txHash: Hex;
}

export const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);

/** Returns the total paid on a day. */
export const spentOn = (paid: Paid[], day: number) =>
  sum(paid.filter((each) => each.day === day && each.status === "confirmed").map(({ units }) => units));

/**
 * Compares everything sent with everything paid, as decrypted with the owner's keys. In each phase of each day, what
 * was executed before plus everything started in the phase stays within the limit.
 *
 * @param reverted the amounts that failed on chain; nothing else may have failed
 */
export function expectWithinLimit(sent: Sent[], paid: Paid[], reverted: bigint[], lastPhase: number): void {
  expect(sent.length).toBeGreaterThanOrEqual(90);
  const known = new Map(paid.map((each) => [each.units, each]));
  expect(known.size, "no payment was made twice").toBe(paid.length);
  for (const { units, day, outcome } of sent) {
    const found = known.get(units);
    if (outcome === "accepted") expect(found, "an accepted payment is there").toMatchObject({ day });
    if (outcome === "refused" || outcome === "busy") expect(found, "a refused payment is not").toBeUndefined();
    // The response was lost. If the payment was made, it counts on the day for which it was requested.
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
