import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import type { LimitPolicy } from "./policy";
import { type BucketState, takeToken, takeTokens } from "./take-token";

const KEY: LimitPolicy = { name: "api_key", quota: 200, seconds: 2, slice: 10 };
const ADDRESS: LimitPolicy = { name: "sign_in", quota: 5, seconds: 60, slice: 1 };
const RATE = KEY.quota / KEY.seconds;

let services: SharedServices;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const shared = globalThis as { halcyonBuckets?: unknown };

/** Simulates another process, which has none of the tokens that this one leased. */
function process_(): <T>(work: () => Promise<T>) => Promise<T> {
  let memory: unknown;
  return async (work) => {
    const outer = shared.halcyonBuckets;
    shared.halcyonBuckets = memory;
    // The buckets are read before the first await.
    const started = work();
    memory = shared.halcyonBuckets;
    shared.halcyonBuckets = outer;
    return started;
  };
}

async function allowed(name: string, policy: LimitPolicy, count: number): Promise<number> {
  const standings = await Promise.all(Array.from({ length: count }, () => takeToken(name, policy)));
  return standings.filter((standing) => standing.allowed).length;
}

const secondsSince = (time: number) => (performance.now() - time) / 1000;

/**
 * Takes all tokens repeatedly between `since` and `until`, `count` at a time from each taker in turn, until each taker
 * is refused. Returns how many tokens were granted, and how many were due. A bucket left alone for long is full.
 *
 * A process that was refused refuses by itself for a while, without asking the bucket. So due is what was due before a
 * turn in which some were granted, and the last such turn begins after `until`: it comes, or the test ends.
 */
async function drain(takers: (() => Promise<number>)[], count: number, since: number, until: number) {
  let [given, due, asked] = [0, 0, since];
  while (asked < until) {
    for (let left = takers; left.length > 0; ) {
      const now = performance.now();
      const got = await Promise.all(left.map((take) => take()));
      const sum = got.reduce((all, each) => all + each, 0);
      if (sum > 0) {
        given += sum;
        due += Math.min(KEY.quota, (RATE * (now - asked)) / 1000);
        asked = now;
      }
      left = left.filter((_, at) => got[at] === count);
    }
    await sleep(10);
  }
  return { given, due };
}

describe("a bucket", () => {
  it("gives its quota at once and then no more than its rate", async () => {
    const start = performance.now();
    expect(await allowed("a", KEY, 200)).toBe(200);
    const emptied = performance.now();
    const { given, due } = await drain([() => allowed("a", KEY, 20)], 20, emptied, start + 1_500);
    expect(given).toBeLessThanOrEqual(RATE * secondsSince(start) + 1);
    expect(given).toBeGreaterThanOrEqual(due - KEY.slice);
  });

  it("is one for all processes, to within the tokens each has leased", async () => {
    const [one, two] = [process_(), process_()];
    const start = performance.now();
    const both = [one, two].map((as) => () => as(() => allowed("b", KEY, 60)));
    const { given, due } = await drain(both, 60, start, start + 1_500);
    expect(given).toBeLessThanOrEqual(KEY.quota + RATE * secondsSince(start) + 2 * (KEY.slice - 1));
    expect(given).toBeGreaterThanOrEqual(KEY.quota + due - 4 * KEY.slice);
  });

  it("of an address is exact across processes, and says when to come again", async () => {
    const [one, two] = [process_(), process_()];
    expect(await one(() => allowed("c", ADDRESS, 3))).toBe(3);
    expect(await two(() => allowed("c", ADDRESS, 3))).toBe(2);
    const refused = await one(() => takeToken("c", ADDRESS));
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.retrySeconds).toBeGreaterThan(0);
    expect(refused.retrySeconds).toBeLessThanOrEqual(12);
    expect(refused.resetSeconds).toBeLessThanOrEqual(60);
  });

  it("says what is left, and is full again after a pause", async () => {
    const start = performance.now();
    expect(await takeToken("d", KEY)).toMatchObject({ allowed: true, remaining: 199 });
    await allowed("d", KEY, 50);
    const standing = await takeToken("d", KEY);
    expect(standing.remaining).toBeGreaterThanOrEqual(148);
    expect(standing.remaining).toBeLessThanOrEqual(148 + RATE * secondsSince(start) + KEY.slice);
    await sleep(1_200);
    expect((await takeToken("d", KEY)).remaining).toBeGreaterThanOrEqual(198);
  });

  it("gives one again after as many seconds as its refusal says, to each process", async () => {
    for (const as of [process_(), process_()]) {
      const ask = () => as(() => Promise.all(Array.from({ length: 60 }, () => takeToken("again", KEY))));
      let refused: BucketState | undefined;
      while (!refused) refused = (await ask()).find((standing) => !standing.allowed);
      expect(refused.retrySeconds).toBeGreaterThanOrEqual(1);
      await sleep(1_000 * refused.retrySeconds);
      expect(await as(() => takeToken("again", KEY))).toMatchObject({ allowed: true });
    }
  });

  it("keeps to a smaller quota at once when it is set lower", async () => {
    expect(await allowed("e", { ...ADDRESS, quota: 50 }, 50)).toBe(50);
    const later = process_();
    expect(await later(() => allowed("e", ADDRESS, 5))).toBe(0);
  });

  it("and another give a request one token each, or none when either is empty", async () => {
    const pair = [
      { name: "f", policy: KEY },
      { name: "g", policy: { ...ADDRESS, name: "account" } },
    ] as const;
    const standings = await Promise.all(Array.from({ length: 8 }, () => takeTokens(pair)));
    expect(standings.filter((each) => each.every(({ allowed: isAllowed }) => isAllowed))).toHaveLength(5);
    const refused = await takeTokens(pair);
    expect(refused).toMatchObject([{ policy: { name: "account" }, allowed: false }]);
    // Requests that the other bucket refused took no tokens from this one.
    const { remaining } = await takeToken("f", KEY);
    expect(remaining).toBeGreaterThanOrEqual(KEY.quota - 5 - 1);
  });

  it("and another are asked at once by processes that name them in either order, and none waits for ever", async () => {
    const [h, i] = [
      { name: "h", policy: { ...KEY, quota: 100_000 } },
      { name: "i", policy: { ...KEY, quota: 100_000 } },
    ];
    const [one, two] = [process_(), process_()];
    for (let turn = 0; turn < 30; turn++) {
      const given = await Promise.all([
        ...Array.from({ length: 20 }, () => one(() => takeTokens([h, i]))),
        ...Array.from({ length: 20 }, () => two(() => takeTokens([i, h]))),
      ]);
      expect(given.flat().filter(({ allowed: isAllowed }) => isAllowed)).toHaveLength(80);
    }
  });
});
