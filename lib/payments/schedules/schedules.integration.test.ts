import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { jobs } from "@/db/schema/jobs";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { newId } from "@/lib/base/ids";
import { advanceRun } from "@/lib/payments/schedules/runs/advance-run";
import { goOn, lastPart, pause, skip } from "@/lib/policy/calendar/terms";
import { cleanUp } from "@/lib/worker/clean-up";
import { keyCaller, sessionCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { bodyOf, putNew, termsOf } from "@/test/accounts/schedule-terms";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { endSchedule } from "./end-schedule";
import { getRun } from "./get-run";
import { getSchedule, listRuns, listSchedules } from "./list-schedules";
import { planSchedule } from "./plan-schedule";
import type { RunPlan } from "./schema";
import { storeEncrypted } from "./store-encrypted";

const CHAIN = 46630;
const DAY = 86_400_000;
let services: SharedServices;
let owner: Owner;
let bob: { address: `0x${string}` };

beforeAll(async () => {
  services = await startSharedServices();
  owner = await Owner.create(CHAIN);
  bob = await Owner.create(CHAIN);
});
afterAll(() => services.stop());

const at = (text: string) => new Date(text);
const plan = (by: Owner, id: string, said: RunPlan, now: Date) =>
  planSchedule(by.session, id, { plan: said }, undefined, now);
const runsOf = (id: string) =>
  db().select().from(scheduleRuns).where(eq(scheduleRuns.scheduleId, id)).orderBy(scheduleRuns.date);

/** Returns the types of a schedule's events, oldest first. */
async function announced(id: string): Promise<string[]> {
  const rows = await db().select().from(events).where(eq(events.rootId, owner.account.id)).orderBy(events.createdAt);
  return rows.filter(({ payload }) => payload.schedule_id === id).map(({ type }) => type);
}

const DAILY = { frequency: "daily", start: "2026-10-24", time: "00:00", time_zone: "Europe/Berlin" } as const;

test("of the dates ahead the service knows the next alone, and nothing of recipients and amounts", async () => {
  const id = await putNew(owner, termsOf(DAILY, bob, "1234.56"), at("2026-10-23T12:00:00Z"));
  const runs = await runsOf(id);
  expect(runs.map(({ date, status, dueAt }) => [date, status, dueAt.toISOString()])).toEqual([
    ["2026-10-24", "planned", "2026-10-23T22:00:00.000Z"],
  ]);
  const [row] = await db().select().from(schedules).where(eq(schedules.id, id));
  const text = Buffer.from((row?.encrypted ?? "0x").slice(2), "hex").toString("latin1");
  expect(text).not.toContain("1234.56");
  expect(text).not.toContain(bob.address);
});

test("a run is due once when its time comes, on a day with a clock change too, and missed once after its window", async () => {
  const id = await putNew(owner, termsOf({ ...DAILY, start: "2026-10-25" }, bob), at("2026-10-24T12:00:00Z"));
  const [run] = await runsOf(id);
  if (!run) throw new Error("a run is planned");
  expect(run.dueAt).toEqual(at("2026-10-24T22:00:00Z"));
  expect(await advanceRun(run.id, at("2026-10-24T21:59:59.000Z"))).toBe(1_000);
  expect(await announced(id)).toEqual([]);
  const together = await Promise.all([1, 2, 3].map(() => advanceRun(run.id, at("2026-10-24T22:00:00Z"))));
  expect(together).toEqual([3 * DAY, 3 * DAY, 3 * DAY]);
  expect(await announced(id)).toEqual(["schedule.due"]);
  expect((await getSchedule(owner.session, id)).open).toMatchObject([{ status: "due" }]);
  expect(await advanceRun(run.id, at("2026-10-27T21:59:59.999Z"))).toBe(1);
  for (const _ of [1, 2]) expect(await advanceRun(run.id, at("2026-10-27T22:00:00Z"))).toBe(null);
  expect(await announced(id)).toEqual(["schedule.due", "schedule.run_missed"]);
  expect((await getRun(owner.session, id, run.id)).run.status).toBe("missed");
});

test("a worker that was away says both that a run was due and that it was missed", async () => {
  const id = await putNew(owner, termsOf(DAILY, bob), at("2026-10-23T12:00:00Z"));
  const [run] = await runsOf(id);
  expect(await advanceRun(run?.id ?? "", at("2026-12-01T00:00:00Z"))).toBe(0);
  expect(await advanceRun(run?.id ?? "", at("2026-12-01T00:00:00Z"))).toBe(null);
  expect(await announced(id)).toEqual(["schedule.due", "schedule.run_missed"]);
});

test("what passed unseen is due or missed when a client says so, and each date once however often it is said", async () => {
  const terms = termsOf(DAILY, bob);
  const id = await putNew(owner, terms, at("2026-10-23T12:00:00Z"));
  const now = at("2026-10-30T12:00:00Z");
  const { runs, is_last } = bodyOf(owner, id, terms, { after: "2026-10-24", now });
  for (const _ of [1, 2]) await plan(owner, id, { version: 1, runs, is_last }, now);
  const listed = (await runsOf(id)).map(({ date, status }) => `${date} ${status}`);
  expect(listed).toEqual([
    "2026-10-24 planned",
    "2026-10-25 missed",
    "2026-10-26 missed",
    "2026-10-27 missed",
    "2026-10-28 due",
    "2026-10-29 due",
    "2026-10-30 due",
    "2026-10-31 planned",
  ]);
  expect((await announced(id)).sort()).toEqual([
    ...Array(3).fill("schedule.due"),
    ...Array(3).fill("schedule.run_missed"),
  ]);
});

test("a pause takes the next date back, a skip leaves it out, and ending deletes the text", async () => {
  const now = at("2026-10-23T12:00:00Z");
  const terms = termsOf(DAILY, bob);
  const id = await putNew(owner, terms, now);
  const put = (next: typeof terms, version: number, skipped?: string) =>
    storeEncrypted(
      owner.session,
      id,
      { ...bodyOf(owner, id, next, { version, after: null, now }), skipped },
      undefined,
      now,
    );
  const paused = pause(terms, now);
  expect(await put(paused, 2)).toMatchObject({ row: { status: "paused", version: 2 }, open: [] });
  const resumed = goOn(paused, lastPart(terms), lastPart(terms).seed, now);
  if (!resumed) throw new Error("dates are left");
  expect((await put(resumed, 3)).open).toMatchObject([{ date: "2026-10-24", status: "planned" }]);
  const skipped = await put(skip(resumed, "2026-10-24"), 4, "2026-10-24");
  expect(skipped.open).toMatchObject([{ date: "2026-10-25", status: "planned" }]);
  expect((await runsOf(id)).map(({ status }) => status)).toEqual(["skipped", "planned"]);
  await expect(put(resumed, 3)).rejects.toMatchObject({ code: "schedule_changed" });
  await endSchedule(owner.session, id);
  await endSchedule(owner.session, id);
  expect((await getSchedule(owner.session, id)).row).toMatchObject({ status: "ended", encrypted: "0x", version: 5 });
  await expect(put(resumed, 6)).rejects.toMatchObject({ code: "invalid_request" });
});

test("a new schedule that is sent again, even after its first date is due, is the same one, and nothing is planned twice", async () => {
  const now = at("2026-10-23T12:00:00Z");
  const [id, terms] = [newId("schedule"), termsOf(DAILY, bob)];
  const body = bodyOf(owner, id, terms, { now });
  const first = await storeEncrypted(owner.session, id, body, undefined, now);
  const listed = await listSchedules(owner.session, { limit: 100 });
  expect(await storeEncrypted(owner.session, id, body, undefined, at("2026-10-24T12:00:00Z"))).toEqual(first);
  expect(await listSchedules(owner.session, { limit: 100 })).toEqual(listed);
  expect(await runsOf(id)).toHaveLength(1);
});

test("the last date finishes it", async () => {
  const now = at("2026-10-23T12:00:00Z");
  const terms = termsOf({ ...DAILY, count: 1 }, bob);
  const id = await putNew(owner, terms, now);
  expect((await getSchedule(owner.session, id)).row.status).toBe("active");
  const later = at("2026-10-24T12:00:00Z");
  const { runs, is_last } = bodyOf(owner, id, terms, { after: "2026-10-24", now: later });
  expect(is_last).toBe(true);
  expect((await plan(owner, id, { version: 1, runs, is_last }, later)).row.status).toBe("finished");
});

test("who can't decrypt a schedule says no dates of it: a session without a plan, a key of one schedule, an old version", async () => {
  const now = at("2026-10-23T12:00:00Z");
  const id = await putNew(owner, termsOf(DAILY, bob), now);
  const before = await runsOf(id);
  const said = { version: 1, runs: [], is_last: true };
  await expect(planSchedule(owner.session, id)).rejects.toMatchObject({ code: "invalid_request", param: "plan" });
  const { call } = await keyCaller(owner.session, { schedule: id as `sch_${string}` });
  const refused = await call("POST", `/v1/schedules/${id}/runs`, { plan: said });
  expect([refused.status, refused.json.error?.code]).toEqual([403, "key_forbidden"]);
  const old = plan(owner, id, { ...said, version: 2 }, now);
  await expect(old).rejects.toMatchObject({ code: "schedule_changed", param: "version" });
  expect(await runsOf(id)).toEqual(before);
  expect((await getSchedule(owner.session, id)).row.status).toBe("active");
});

test("a key of the whole account says what its client has decrypted, as a session does", async () => {
  const now = new Date();
  const terms = termsOf({ ...DAILY, start: "2099-10-24" }, bob);
  const id = await putNew(owner, terms, now);
  const { call } = await keyCaller(owner.session);
  const { runs, is_last } = bodyOf(owner, id, terms, { now });
  const planned = await call("POST", `/v1/schedules/${id}/runs?include=encrypted`, {
    plan: { version: 1, runs: runs.map(({ date, due_at }) => ({ date, due_at: due_at.toISOString() })), is_last },
  });
  expect([planned.status, planned.json.encrypted]).toEqual([200, expect.objectContaining({ last_date: "2099-10-24" })]);
});

test("a session creates and changes what its client has encrypted, and nothing that the service would encrypt", async () => {
  const bySession = await sessionCaller(owner);
  const id = newId("schedule");
  const encrypted = (version: number) =>
    bodyOf(owner, id, termsOf({ ...DAILY, start: "2099-10-24" }, bob), { version });
  const created = await bySession("POST", "/v1/schedules?include=encrypted", {
    schedule_id: id,
    encrypted: encrypted(1),
  });
  expect([created.status, created.json]).toEqual([
    201,
    expect.objectContaining({ schedule_id: id, version: 1, next_dates: [], encrypted: expect.any(Object) }),
  ]);
  const changed = await bySession("PATCH", `/v1/schedules/${id}`, { encrypted: encrypted(2) });
  expect([changed.status, changed.json.version, changed.json.encrypted]).toEqual([200, 2, undefined]);
  const before = await getSchedule(owner.session, id);
  const plain = { rule: DAILY, payments: [{ to: "@bob", amount: "1" }] };
  for (const [method, path, body, outcome] of [
    ["POST", "/v1/schedules", plain, [400, "invalid_request", "encrypted"]],
    ["PATCH", `/v1/schedules/${id}`, { status: "paused" }, [400, "invalid_request", "encrypted"]],
    ["POST", "/v1/schedules", { encrypted: encrypted(1) }, [400, "invalid_request", "schedule_id"]],
    ["POST", "/v1/schedules", { ...plain, schedule_id: id }, [400, "invalid_request", "schedule_id"]],
    [
      "POST",
      "/v1/schedules",
      { ...plain, schedule_id: id, encrypted: encrypted(1) },
      [400, "invalid_request", "payments"],
    ],
    [
      "POST",
      "/v1/schedules",
      { schedule_id: id, encrypted: encrypted(3) },
      [400, "invalid_request", "encrypted.version"],
    ],
    ["POST", "/v1/schedules", { schedule_id: id, encrypted: encrypted(1) }, [409, "schedule_changed", "version"]],
    ["PATCH", `/v1/schedules/${id}`, { encrypted: encrypted(4) }, [409, "schedule_changed", "version"]],
    ["PATCH", `/v1/schedules/${newId("schedule")}`, { encrypted: encrypted(1) }, [404, "not_found", undefined]],
  ] as const) {
    const { status, json } = await bySession(method, path, body);
    expect([status, json.error?.code, json.error?.param], JSON.stringify(body).slice(0, 60)).toEqual(outcome);
  }
  expect(await getSchedule(owner.session, id)).toEqual(before);
});

test("a finished schedule's text is deleted a day after its last payment, and not while one is open or was missed", async () => {
  const now = at("2026-10-23T12:00:00Z");
  const payer = await Owner.create(CHAIN);
  const terms = termsOf({ ...DAILY, count: 1 }, bob);
  const id = await putNew(payer, terms, now);
  const later = at("2026-10-24T12:00:00Z");
  await plan(payer, id, { version: 1, runs: [], is_last: true }, later);
  // Of an earlier secret.
  await db().update(schedules).set({ secretVersion: 0 }).where(eq(schedules.id, id));
  const stale = async () => (await listSchedules(payer.session, { limit: 5, stale: true })).list.length;
  const hasText = async (status: (typeof scheduleRuns.$inferSelect)["status"], on: string) => {
    await db().update(scheduleRuns).set({ status, paidAt: later }).where(eq(scheduleRuns.scheduleId, id));
    await cleanUp(at(on));
    const { row } = await getSchedule(payer.session, id);
    expect(row.status).toBe("finished");
    return row.encrypted !== "0x";
  };
  for (const status of ["planned", "due", "paying", "missed"] as const) {
    expect([status, await hasText(status, "2026-12-24T12:00:00Z")]).toEqual([status, true]);
  }
  expect([await hasText("paid", "2026-10-25T11:59:59Z"), await stale()]).toEqual([true, 1]);
  expect([await hasText("paid", "2026-10-25T12:00:01Z"), await stale()]).toEqual([false, 0]);
  const put = storeEncrypted(payer.session, id, { ...bodyOf(payer, id, terms, { version: 2 }), secret_version: 1 });
  await expect(put).rejects.toMatchObject({
    code: "invalid_request",
    publicMessage: expect.stringMatching(/finished/),
  });
  await endSchedule(payer.session, id);
});

test("the text of a schedule with dates ahead, or paused, stays", async () => {
  const now = at("2026-10-23T12:00:00Z");
  const terms = termsOf(DAILY, bob);
  const [active, paused] = [await putNew(owner, terms, now), await putNew(owner, pause(terms, now), now)];
  await cleanUp(at("2026-12-24T12:00:00Z"));
  for (const id of [active, paused]) expect((await getSchedule(owner.session, id)).row.encrypted).not.toBe("0x");
});

test("a stranger, an agent and another network see nothing of it", async () => {
  const id = await putNew(owner, termsOf(DAILY, bob), at("2026-10-23T12:00:00Z"));
  const [run] = await runsOf(id);
  const stranger = await Owner.create(CHAIN);
  const unknown = newId("schedule");
  for (const ctx of [stranger.session, { ...owner.session, chainId: 4663 as const, network: "live" as const }]) {
    for (const act of [getSchedule, endSchedule, (c: typeof ctx, s: string) => listRuns(c, s, { limit: 5 })]) {
      await expect(act(ctx, id)).rejects.toMatchObject({ code: "not_found" });
      await expect(act(ctx, unknown)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(getRun(ctx, id, run?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    await expect(storeEncrypted(ctx, id, bodyOf(owner, id, termsOf(DAILY, bob)))).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await listSchedules(ctx, { limit: 10 })).list).toEqual([]);
  }
  const agent = { ...owner.session, account: { ...owner.session.account, type: "agent" as const } };
  await expect(listSchedules(agent, { limit: 10 })).rejects.toMatchObject({ code: "key_forbidden" });
  const ofOther = { ...(await owner.key()), scheduleId: unknown };
  await expect(getSchedule(ofOther, id)).rejects.toMatchObject({ code: "not_found" });
});

test("a run's job is scheduled with the run, and pages follow one another", async () => {
  const id = await putNew(owner, termsOf(DAILY, bob), at("2026-10-23T12:00:00Z"));
  const [run] = await runsOf(id);
  const [job] = await db()
    .select()
    .from(jobs)
    .where(and(eq(jobs.name, "schedule-runs.advance"), eq(jobs.key, run?.id ?? "")));
  expect(job?.nextRun).toEqual(run?.dueAt);
  const first = await listSchedules(owner.session, { limit: 2 });
  expect(first.hasMore).toBe(true);
  const second = await listSchedules(owner.session, { limit: 100, starting_after: first.list.at(-1)?.row.id });
  const ids = [...first.list, ...second.list].map(({ row }) => row.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toBe(id);
});

test("payments that are due are found on whichever page their schedules are", async () => {
  const payer = await Owner.create(CHAIN);
  const now = at("2026-10-24T00:00:00Z");
  const oldest = await putNew(payer, termsOf(DAILY, bob), at("2026-10-23T12:00:00Z"));
  const ahead = termsOf({ ...DAILY, start: "2026-12-24" }, bob);
  for (const _ of [1, 2]) await putNew(payer, ahead, now);
  const ids = async (due: boolean) => {
    const { list, hasMore } = await listSchedules(payer.session, { limit: 1, due });
    return { ids: list.map(({ row }) => row.id), hasMore };
  };
  expect(await ids(true)).toEqual({ ids: [], hasMore: false });
  const [run] = await runsOf(oldest);
  await advanceRun(run?.id ?? "", now);
  expect(await ids(true)).toEqual({ ids: [oldest], hasMore: false });
  // Of the newest page it is none.
  expect((await ids(false)).ids).not.toContain(oldest);
  // No one else's.
  expect((await listSchedules(owner.session, { limit: 100, due: true })).list.map(({ row }) => row.id)).not.toContain(
    oldest,
  );
});
