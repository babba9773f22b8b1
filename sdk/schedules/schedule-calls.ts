import { HalcyonError } from "../api/errors";
import type { OptionalPageInput } from "../api/paged";
import type { Schedule, ScheduleList, ScheduleRunDetails, ScheduleRunList } from "../api/resources/schedules";
import type { Context } from "../context/context";

/** Which schedules, and how many at a time. */
export interface ListSchedulesInput extends OptionalPageInput {
  status?: Schedule["status"] | undefined;
}

/** Which runs, and how many at a time. */
export type ListRunsInput = OptionalPageInput;

/** How schedules are asked for: with the wallet's session, else with the API key. */
export async function callSchedules<T>(
  context: Context,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  { json, query, idempotencyKey = crypto.randomUUID() }: CallInput = {},
): Promise<T> {
  if (context.hasWallet) return (await context.session()).call<T>(method, `/api/schedules${path}`, { json, query });
  const headers = { ...context.bearer, ...(method === "POST" && { "idempotency-key": idempotencyKey }) };
  return (await context.http.send(method, `/v1/schedules${path}`, { json, query, headers })).body as T;
}

interface CallInput {
  json?: unknown;
  query?: Record<string, string | number | undefined>;
  idempotencyKey?: string | undefined;
}

/** The path of a schedule. */
export const pathOf = (scheduleId: string, ...rest: string[]) =>
  ["", scheduleId, ...rest].map((part) => encodeURIComponent(part)).join("/");

/** A page of the schedules, newest first. */
export function listSchedules(context: Context, { startingAfter, ...rest }: ListSchedulesInput): Promise<ScheduleList> {
  const query = { ...rest, starting_after: startingAfter };
  return callSchedules<ScheduleList>(context, "GET", "", { query });
}

/** All schedules, newest first: an account has a few hundred at most. */
export async function allSchedules(context: Context): Promise<Schedule[]> {
  const found: Schedule[] = [];
  for (let startingAfter: string | undefined; ; ) {
    const page = await listSchedules(context, { startingAfter, limit: 100 });
    found.push(...page.schedules);
    startingAfter = page.schedules.at(-1)?.schedule_id;
    if (!page.has_more || startingAfter === undefined) return found;
  }
}

/** @throws HalcyonError `schedule_changed` when it has another version than the one that was read */
export function checkVersion(schedule: Schedule, version: number | undefined): void {
  if (version === undefined || version === schedule.version) return;
  throw new HalcyonError("schedule_changed", "The schedule was changed since you read it. Read it again.");
}

export function getSchedule(context: Context, scheduleId: string): Promise<Schedule> {
  return callSchedules<Schedule>(context, "GET", pathOf(scheduleId));
}

export function listRuns(
  context: Context,
  scheduleId: string,
  { startingAfter, ...rest }: ListRunsInput = {},
): Promise<ScheduleRunList> {
  const query = { ...rest, starting_after: startingAfter };
  return callSchedules<ScheduleRunList>(context, "GET", pathOf(scheduleId, "runs"), { query });
}

export function getRun(context: Context, scheduleId: string, runId: string): Promise<ScheduleRunDetails> {
  return callSchedules<ScheduleRunDetails>(context, "GET", pathOf(scheduleId, "runs", runId));
}
