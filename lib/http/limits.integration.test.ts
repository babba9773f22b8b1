import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db, sql } from "@/db/client";
import { Gate, gated } from "@/db/gate";
import { inSlot } from "@/lib/budgets/in-turn";
import { onBehalfOf } from "@/lib/current-account";
import { localBucket } from "@/lib/rate-limit/local-bucket";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { mostBetween } from "@/test/turns";
import type { Caller } from "./caller";
import { type LimitHeaders, limitCaller, limitRequest, refuseSpent } from "./limits";
import { holdRefusal } from "./spent-keys";

const CHAIN = 46630;
const OF_KEY = 8;
const OF_ACCOUNT = 20;

let database: LocalDatabase;

beforeAll(async () => {
  // So slow that no token is refilled while a test runs.
  Object.assign(process.env, {
    DATABASE_POOL: "4",
    RATE_LIMIT_PER_SECOND: "0.0001",
    RATE_LIMIT_BURST: String(OF_KEY),
    RATE_LIMIT_ACCOUNT_PER_SECOND: "0.0001",
    RATE_LIMIT_ACCOUNT_BURST: String(OF_ACCOUNT),
  });
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

const root = (digit: string): Caller["root"] => `0x${digit.repeat(40)}`;
const key = (id: string, of: string): Caller => ({ kind: "api_key", id, chainId: CHAIN, root: root(of) });
const session = (id: string, of: string): Caller => ({ kind: "session", id, chainId: CHAIN, root: root(of) });

/** Makes this many requests. Returns how many were allowed, and the headers of the last response. */
async function ask(caller: Caller, requests: number): Promise<{ allowed: number; headers: LimitHeaders }> {
  const headers: LimitHeaders = {};
  let allowed = 0;
  for (let i = 0; i < requests; i++) {
    await limitCaller(caller, headers).then(
      () => {
        allowed += 1;
      },
      (error) => expect(error).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) }),
    );
  }
  return { allowed, headers };
}

test("an account's keys and sessions share its quota above their own; another account has all of its own", async () => {
  expect((await ask(key("one", "a"), 10)).allowed).toBe(OF_KEY);
  const { allowed, headers } = await ask(session("two", "a"), 10);
  expect(allowed).toBe(OF_KEY);
  expect(headers["ratelimit-policy"]).toBe(`"session";q=${OF_KEY};w=80000`);
  // Further requests don't change that.
  const third = await ask(key("three", "a"), 6);
  expect(third.allowed).toBe(OF_ACCOUNT - 2 * OF_KEY);
  expect(third.headers["ratelimit-policy"]).toBe(`"account";q=${OF_ACCOUNT};w=200000`);
  expect((await ask(session("four", "a"), 3)).allowed).toBe(0);
  expect((await ask(key("five", "b"), 3)).allowed).toBe(3);
  expect((await ask({ ...key("six", "a"), chainId: 4663 }, 3)).allowed).toBe(3);
});

test("a request that costs more counts as so many", async () => {
  const caller = key("seven", "c");
  await limitCaller(caller, {}, 5);
  expect((await ask(caller, 10)).allowed).toBe(OF_KEY - 5);
  await expect(limitCaller(key("eight", "c"), {}, OF_KEY + 1)).rejects.toMatchObject({ code: "rate_limited" });
});

test("a key that has spent its limit is refused before it is looked up, until it may call again", async () => {
  const [caller, authorization] = [key("nine", "d"), "Bearer hc_test_nine"];
  await refuseSpent(authorization, {});
  await limitRequest(authorization, caller, {});
  await limitCaller(caller, {}, OF_KEY - 1);
  await refuseSpent(authorization, {});
  const [limited, known]: LimitHeaders[] = [{}, {}];
  await expect(limitRequest(authorization, caller, limited ?? {})).rejects.toMatchObject({ code: "rate_limited" });
  await expect(refuseSpent(authorization, known ?? {})).rejects.toMatchObject({
    code: "rate_limited",
    retryAfter: expect.any(Number),
  });
  for (const headers of [limited, known]) {
    expect(headers?.["ratelimit-policy"]).toBe(`"api_key";q=${OF_KEY};w=80000`);
    expect(headers?.ratelimit).toMatch(/^"api_key";r=0;t=\d+$/);
  }
  // Another key of the same account, and a request without a key.
  await refuseSpent("Bearer hc_test_ten", {});
  await refuseSpent(null, {});
  // Once the bucket may have been refilled, the database has to say.
  localBucket("key:nine", performance.now()).emptyUntil = 0;
  await refuseSpent(authorization, {});
});

test("refusals wait, but not any number of them at once", async () => {
  const held = Array.from({ length: 100 }, () => holdRefusal().then(() => "held"));
  expect(await Promise.race([...held, holdRefusal().then(() => "at once")])).toBe("at once");
  await Promise.all(held);
});

/** Returns the order in which requests are served when one account makes 40 and another makes 8. */
async function serve(job: (served: () => void) => Promise<unknown>): Promise<string[]> {
  const served: string[] = [];
  const ask = (account: string, times: number) =>
    onBehalfOf(account, () => Array.from({ length: times }, () => job(() => served.push(account))));
  await Promise.all([...ask("hostile", 40), ...ask("victim", 8)]);
  expect(served.filter((account) => account === "victim")).toHaveLength(8);
  return served;
}

test("connections: at most two of an account at full speed are served between two of another's", async () => {
  const one = gated(postgres(process.env.DATABASE_URL ?? "", { max: 1 }), new Gate(1));
  const served = await serve((begun) =>
    one.begin(async (tx) => {
      begun();
      await tx`select 1`;
    }),
  );
  await one.end();
  expect(mostBetween(served, "victim", "hostile")).toBeLessThanOrEqual(2);
});

test("slots for payments: at most two of an account at full speed are served between two of another's", async () => {
  const served = await serve((begun) =>
    inSlot(async () => {
      begun();
      await Promise.resolve();
    }),
  );
  expect(mostBetween(served, "victim", "hostile")).toBeLessThanOrEqual(2);
});

test("an account that holds all the connections it can leaves half of them to others", async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holding = onBehalfOf("hostile", () => Array.from({ length: 6 }, () => db().transaction(() => ended)));
  expect(await onBehalfOf("victim", () => sql()`select 1`.then((rows) => rows.length))).toBe(1);
  end();
  await Promise.all(holding);
});
