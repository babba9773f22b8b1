import { HalcyonError } from "../../api/errors";
import type { HttpRequest } from "../../api/http";
import type { OptionalPageInput } from "../../api/paged";
import { requireSameId } from "../../api/require-same-id";
import type { Schedule, ScheduleList, ScheduleRunDetails, ScheduleRunList } from "../../api/resources/schedules";
import { callApi, type Method } from "../../context/call-api";
import type { Context } from "../../context/context";

/** Filters for a list of schedules, and its paging. */
export interface ListSchedulesInput extends OptionalPageInput {
  status?: Schedule["status"] | undefined;
  /** Only those of which a payment is due. */
  due?: true | undefined;
  /** Only those that are encrypted under an earlier secret of the account. */
  stale?: true | undefined;
}

/** The paging of a list of runs. */
export type ListRunsInput = OptionalPageInput;

/** Calls an operation of schedules, over the wallet's session or else with the API key. */
export function callSchedules<T>(context: Context, method: Method, path: string, input: CallInput = {}): Promise<T> {
  return callApi<T>(context, method, `/v1/schedules${path}`, input);
}

/** Has the service store what the owner's client, which decrypts schedules, says of one. */
export function writeSchedule(
  context: Context,
  method: "POST" | "PATCH",
  path: string,
  json: object,
): Promise<Schedule> {
  return callSchedules<Schedule>(context, method, path, { json, query: { include: "encrypted" } });
}

/** A client with the wallet decrypts schedules; of others the service does. */
const includeOf = ({ hasWallet }: Context) => (hasWallet ? "encrypted" : undefined);

interface CallInput {
  json?: unknown;
  query?: HttpRequest["query"];
  idempotencyKey?: string | undefined;
}

/** Returns the path of a schedule. */
export const pathOf = (scheduleId: string, ...rest: string[]) =>
  ["", scheduleId, ...rest].map((part) => encodeURIComponent(part)).join("/");

/** Reads a page of schedules, newest first. */
export function listSchedules(context: Context, { startingAfter, ...rest }: ListSchedulesInput): Promise<ScheduleList> {
  const query = { ...rest, starting_after: startingAfter, include: includeOf(context) };
  return callSchedules<ScheduleList>(context, "GET", "", { query });
}

/** Reads all schedules, newest first. An account has a few hundred at most. */
export async function allSchedules(context: Context): Promise<Schedule[]> {
  const found: Schedule[] = [];
  for (let startingAfter: string | undefined; ; ) {
    const page = await listSchedules(context, { startingAfter, limit: 100 });
    found.push(...page.schedules);
    startingAfter = page.schedules.at(-1)?.schedule_id;
    if (!page.has_more || startingAfter === undefined) return found;
  }
}

/**
 * Checks that a schedule still has the version that the caller read.
 *
 * @throws HalcyonError `schedule_changed` when it doesn't
 */
export function checkVersion(schedule: Schedule, version: number | undefined): void {
  if (version === undefined || version === schedule.version) return;
  throw new HalcyonError("schedule_changed", "The schedule was changed since you read it. Read it again.");
}

export function getSchedule(context: Context, scheduleId: string): Promise<Schedule> {
  const query = { include: includeOf(context) };
  return requireSameId(
    "schedule_id",
    scheduleId,
    callSchedules<Schedule>(context, "GET", pathOf(scheduleId), { query }),
  );
}

export function listRuns(
  context: Context,
  scheduleId: string,
  { startingAfter, ...rest }: ListRunsInput = {},
): Promise<ScheduleRunList> {
  const query = { ...rest, starting_after: startingAfter };
  return callSchedules<ScheduleRunList>(context, "GET", pathOf(scheduleId, "runs"), { query });
}

/** Has the service pay a run with the API key. */
export function payRunByKey(
  context: Context,
  scheduleId: string,
  runId: string,
  request: { json: object; idempotencyKey?: string | undefined },
): Promise<ScheduleRunDetails> {
  const path = pathOf(scheduleId, "runs", runId, "pay");
  return onlyRun(scheduleId, runId, callSchedules<ScheduleRunDetails>(context, "POST", path, request), true);
}

export function getRun(context: Context, scheduleId: string, runId: string): Promise<ScheduleRunDetails> {
  return onlyRun(
    scheduleId,
    runId,
    callSchedules<ScheduleRunDetails>(context, "GET", pathOf(scheduleId, "runs", runId)),
  );
}

const onlyRun = (scheduleId: string, runId: string, asked: Promise<ScheduleRunDetails>, changes?: boolean) =>
  requireSameId("schedule_id", scheduleId, requireSameId("run_id", runId, asked, changes), changes);
