import { route } from "@/lib/http/route";
import { createSchedule } from "@/lib/payments/schedules/create-schedule";
import { listSchedules } from "@/lib/payments/schedules/list-schedules";
import {
  ScheduleList,
  toScheduleList,
  toWritten,
  WrittenScheduleResource,
} from "@/lib/payments/schedules/schedule-resource";
import {
  CreateScheduleInput,
  GetScheduleQuery,
  ListSchedulesQuery,
  SCHEDULE_BODY,
} from "@/lib/payments/schedules/schema";

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  opens: "secret",
  idempotent: true,
  bodyLimit: SCHEDULE_BODY,
  docs: {
    operationId: "createSchedule",
    tag: "Schedules",
    summary: "Create a schedule",
    description:
      "Creates a schedule. The service encrypts it under the secret that your key wraps, or your client does and sends `encrypted`. Of its dates, the service keeps the next one. When a run is due, it emits `schedule.due` and waits: it holds nothing that can pay a run by itself.",
    errors: [
      "key_forbidden",
      "not_found",
      "recipient_not_found",
      "available_balance_changed",
      "schedule_changed",
      "recipient_not_confidential_ready",
    ],
  },
  body: CreateScheduleInput,
  query: GetScheduleQuery,
  handle: async ({ ctx, body, query: { include }, beforeCommit }) => {
    const keep: typeof beforeCommit = (tx, written) => beforeCommit(tx, { written, include });
    return { written: await createSchedule(ctx, body, keep), include };
  },
  responses: { 201: WrittenScheduleResource },
  serialize: ({ written, include }) => toWritten(written, include),
});

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listSchedules",
    tag: "Schedules",
    summary: "List schedules",
    description: "Returns the account's schedules, newest first.",
  },
  query: ListSchedulesQuery,
  handle: async ({ ctx, query: { include, ...query } }) => ({ page: await listSchedules(ctx, query), include }),
  responses: { 200: ScheduleList },
  serialize: ({ page, include }) => toScheduleList(page, include),
});
