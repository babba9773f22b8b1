import { route } from "@/lib/http/route";
import { changeSchedule } from "@/lib/payments/schedules/change-schedule";
import { endSchedule } from "@/lib/payments/schedules/end-schedule";
import { getSchedule } from "@/lib/payments/schedules/list-schedules";
import {
  ScheduleResource,
  toSchedule,
  toWritten,
  WrittenScheduleResource,
} from "@/lib/payments/schedules/schedule-resource";
import { ChangeScheduleInput, GetScheduleQuery, SCHEDULE_BODY } from "@/lib/payments/schedules/schema";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  scheduleKeys: "allowed",
  docs: {
    operationId: "getSchedule",
    tag: "Schedules",
    summary: "Get a schedule",
    description: "Returns a schedule: when its next run is due, and which runs are due now.",
    errors: ["not_found"],
  },
  query: GetScheduleQuery,
  handle: async ({ ctx, params, query }) => ({
    view: await getSchedule(ctx, params.schedule_id ?? ""),
    include: query.include,
  }),
  responses: { 200: ScheduleResource },
  serialize: ({ view, include }) => toSchedule(view, include),
});

export const PATCH = route({
  auth: ["key", "session"],
  scope: "pay",
  opens: "secret",
  bodyLimit: SCHEDULE_BODY,
  docs: {
    operationId: "updateSchedule",
    tag: "Schedules",
    summary: "Change, pause or resume a schedule",
    description:
      "Changes the fields you send, or stores the next version that your client has encrypted. What is due already stays as it is: a change counts from the next date on. A date that passes while the schedule is paused is never paid.",
    errors: [
      "key_forbidden",
      "not_found",
      "recipient_not_found",
      "available_balance_changed",
      "schedule_changed",
      "sync_required",
    ],
  },
  body: ChangeScheduleInput,
  query: GetScheduleQuery,
  handle: async ({ ctx, params, body, query: { include } }) => ({
    written: await changeSchedule(ctx, params.schedule_id ?? "", body),
    include,
  }),
  responses: { 200: WrittenScheduleResource },
  serialize: ({ written, include }) => toWritten(written, include),
});

export const DELETE = route({
  auth: ["key", "session"],
  scope: "pay",
  docs: {
    operationId: "endSchedule",
    tag: "Schedules",
    summary: "End a schedule",
    description:
      "Ends the schedule for good. Its text is deleted, runs that are due are not paid any more, and API keys created for it are revoked. Its runs stay listed.",
    errors: ["not_found"],
  },
  handle: ({ ctx, params }) => endSchedule(ctx, params.schedule_id ?? ""),
  responses: { 204: null },
  serialize: () => null,
});
