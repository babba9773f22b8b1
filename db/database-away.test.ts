import postgres from "postgres";
import { expect, it } from "vitest";
import { databaseAway, forgetWriteRefused, sinceWriteRefused, troubleOf } from "./database-away";

it.each([
  ["it was killed while a statement was written", "EPIPE"],
  ["it was killed while a statement waited", "ECONNRESET"],
  ["it is down", "ECONNREFUSED"],
  ["its machine is gone", "ETIMEDOUT"],
  ["its machine is gone", "EHOSTUNREACH"],
  ["its network is gone", "ENETUNREACH"],
  ["its name points nowhere during a failover", "ENOTFOUND"],
  ["the name server does not respond", "EAI_AGAIN"],
  ["it shuts down", "57P01"],
  ["it starts", "57P03"],
])("a database is away: %s (%s)", (_, code) => {
  const reason = Object.assign(new Error("said by the socket"), { code });
  expect(troubleOf(new Error("Failed query", { cause: reason }))).toBe("away");
});

it.each([
  ["its disk is full", "53100"],
  ["its disk fails", "58030"],
  ["it has become a replica", "25006"],
])("a database that takes no writes is busy, and that is remembered: %s (%s)", (_, code) => {
  const before = performance.now();
  const error = Object.assign(new Error("Failed query"), { code });
  forgetWriteRefused();
  expect(troubleOf(error)).toBe("busy");
  expect(sinceWriteRefused()).toBe(Number.POSITIVE_INFINITY);
  expect(databaseAway(error)).toMatchObject({ code: "unavailable" });
  expect(sinceWriteRefused()).toBeLessThanOrEqual(performance.now() - before);
});

it("a database with an address that no one has is away", async () => {
  const sql = postgres("postgres://halcyon@nowhere.invalid/halcyon", { max: 1, onnotice: () => {} });
  const error = await sql`select 1`.catch((thrown: unknown) => thrown);
  expect(troubleOf(error)).toBe("away");
  await sql.end();
});

it("a statement that it refuses is no trouble of the database", () => {
  expect(troubleOf(Object.assign(new Error("duplicate key"), { code: "23505" }))).toBeUndefined();
  expect(troubleOf(new Error("said by our own code"))).toBeUndefined();
});
