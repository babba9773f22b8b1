import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { AMOUNT_MEANING, AssetInput, IncludeQuery, RecipientInput, SecretVersion } from "@/lib/base/inputs";
import { DECIMALS, InvalidAmount, parseAmount } from "@/lib/base/money";
import { InstantInput, PAGE_QUERY } from "@/lib/base/paging";
import { AEAD_OVERHEAD } from "@/lib/ledger/crypto/aead";
import { ENCRYPTED_SCHEDULE_MAX_LENGTH } from "@/lib/ledger/encrypted/schedule";
import { MemoInput } from "@/lib/payments/schema";
import { WEEKDAYS } from "@/lib/policy/calendar/civil-date";
import { MOST_PAYMENTS, WINDOW } from "@/lib/policy/calendar/document";
import { MOST_PLANNED } from "@/lib/policy/calendar/plan-runs";
import { checkRule, FREQUENCIES, NTHS, RuleFault, WEEKEND_RULES } from "@/lib/policy/calendar/rule";

const DateText = (field: string, description: string) =>
  z
    .string(`${field} is a date: YYYY-MM-DD.`)
    .max(10, `${field} is a date: YYYY-MM-DD.`)
    .meta({ description, wire: { type: "string", format: "date" } });
const WeekdayInput = z.enum(WEEKDAYS, "A day of the week is monday to sunday.");

/** When a schedule pays. `checkRule` checks which fields each frequency allows. */
const RuleFields = z
  .strictObject({
    frequency: z
      .enum(FREQUENCIES, "frequency is once, daily, weekly, monthly or yearly.")
      .meta({ description: "How often it pays." }),
    interval: z
      .int("interval is a whole number.")
      .optional()
      .meta({ description: "Pays every so many days, weeks, months or years. 1 if omitted." }),
    weekdays: z
      .array(WeekdayInput, "weekdays is a list.")
      .max(7, "A week has seven days.")
      .optional()
      .meta({ description: "Weekly: the days it pays on. If omitted, the day of the week of `start`." }),
    day: z
      .union([z.int(), z.literal("last")], "day is a number from 1 to 31, or `last`.")
      .optional()
      .meta({
        description:
          "Monthly and yearly: the day of the month. In a shorter month, its last day. If omitted, the day of `start`.",
      }),
    nth: z.literal(NTHS, "nth is 1 to 4, or `last`.").optional().meta({
      description: "Monthly and yearly, with `weekday` and in place of `day`: which of the month's weekdays.",
    }),
    weekday: WeekdayInput.optional().meta({ description: "The day of the week that `nth` counts." }),
    month: z
      .int("month is 1 to 12.")
      .optional()
      .meta({ description: "Yearly: the month, 1 to 12. If omitted, the month of `start`." }),
    start: DateText("start", "The first date that counts."),
    time: z
      .string("A time is HH:MM.")
      .optional()
      .meta({ description: "The time of day, `HH:MM`. 09:00 if omitted.", examples: ["09:00"] }),
    time_zone: z
      .string("Name a time zone.")
      .optional()
      .meta({ description: "An IANA time zone. UTC if omitted.", examples: ["Europe/Berlin"] }),
    weekends: z.enum(WEEKEND_RULES, "weekends is keep, before or after.").optional().meta({
      description:
        "What happens to a date on a Saturday or Sunday: `keep` it, pay on the Friday `before`, or on the Monday `after`.",
    }),
    count: z.int("count is a whole number.").optional().meta({ description: "Ends after so many dates." }),
    until: DateText("until", "Ends after this date.").optional(),
  })
  .superRefine((rule, context) => {
    try {
      checkRule(rule);
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error;
      context.addIssue({ code: "custom", path: [error.param], message: error.message, input: undefined });
    }
  })
  .meta({ id: "ScheduleRule", description: "When a schedule pays." });

const PaymentFields = z.strictObject({
  to: RecipientInput,
  amount: z.string("An amount is a decimal string.").meta({ description: AMOUNT_MEANING, examples: ["25.00"] }),
  memo: MemoInput.optional(),
});

const PlanFields = {
  payments: z
    .array(PaymentFields, "List the payments.")
    .min(1, "Name at least one payment.")
    .max(MOST_PAYMENTS, `A schedule makes up to ${MOST_PAYMENTS} payments at a time.`)
    .meta({ description: "The payments of each run, up to 16 of one asset: all are made, or none." }),
  asset: AssetInput,
  rule: RuleFields,
};

const SettingsFields = {
  name: z
    .string("A name is a text.")
    .trim()
    .max(80, "A name has at most 80 characters.")
    .refine((name) => !/[\p{Cc}\p{Surrogate}]/u.test(name), "A name is one line of well-formed text.")
    .meta({ description: "Your name for it, encrypted with it." }),
  automatic: z.boolean("automatic is true or false.").meta({
    description: "Whether an unlocked dashboard pays its runs without asking.",
  }),
  window_seconds: z
    .int("window_seconds is a whole number.")
    .min(WINDOW.least, "A run stays payable for at least an hour.")
    .max(WINDOW.most, "A run stays payable for at most 30 days.")
    .meta({ description: "How long a run can be paid after it is due. Three days if omitted at creation." }),
};

type Amounts = { payments?: { amount: string }[] | undefined; asset?: "USDG" | "ETH" | undefined };

/** Checks amounts in the asset. If the asset is left out, they are checked against the stored schedule. */
function checkAmounts({ payments, asset = "USDG" }: Amounts, context: z.RefinementCtx): void {
  for (const [index, { amount }] of (payments ?? []).entries()) {
    try {
      parseAmount(amount, DECIMALS[asset]);
    } catch (error) {
      if (!(error instanceof InvalidAmount)) throw error;
      const path = ["payments", index, "amount"];
      context.addIssue({ code: "custom", path, message: error.message, input: undefined });
    }
  }
}

const VERSION_COUNTS = "version counts from 1.";
const VersionNumber = z.int(VERSION_COUNTS).min(1, VERSION_COUNTS);

const DateInput = z.iso.date("A date is YYYY-MM-DD.");
const SaidRuns = z
  .array(
    z.strictObject({
      date: DateInput.meta({
        description: "The date of the schedule's rule.",
        wire: { type: "string", format: "date" },
      }),
      due_at: InstantInput.meta({ description: "When its payments are due. ISO 8601 with a time zone." }),
    }),
    "runs is a list of dates with their times.",
  )
  .max(MOST_PLANNED + 1, `Send up to ${MOST_PLANNED + 1} runs.`)
  .meta({ description: "The dates that are due, and the next one." });
const IsLast = z.boolean("is_last is true or false.").meta({ description: "Whether no dates follow these." });

const ScheduleHex = z
  .templateLiteral(["0x", z.string()])
  .refine(
    (text) =>
      /^0x([0-9a-f]{2})+$/.test(text) &&
      text.length > 2 + 2 * AEAD_OVERHEAD &&
      text.length <= 2 + 2 * ENCRYPTED_SCHEDULE_MAX_LENGTH,
    "This is no encrypted schedule.",
  );

/** A version of a schedule that the owner's client has encrypted. */
const EncryptedVersion = z
  .strictObject({
    version: VersionNumber.max(1_000_000_000).meta({
      description: "The version that this is: 1, or one more than the schedule has.",
    }),
    secret_version: SecretVersion.meta({ description: "Version of the account secret under which it is encrypted." }),
    ciphertext: ScheduleHex.meta({ description: "The encrypted schedule." }),
    window_seconds: SettingsFields.window_seconds,
    status: z.enum(["active", "paused"], "status is active or paused.").meta({
      description: "Whether it pays. A schedule without dates ahead is finished.",
    }),
    runs: SaidRuns,
    is_last: IsLast,
    skipped: DateInput.optional().meta({
      description: "A date that this version leaves out.",
      wire: { type: "string", format: "date" },
    }),
  })
  .meta({
    id: "EncryptedScheduleVersion",
    description: "A version of a schedule that your client has encrypted. The SDK creates it.",
  });
export type EncryptedVersion = z.infer<typeof EncryptedVersion>;

/** What a body may cost that can contain an encrypted schedule. */
export const SCHEDULE_BODY = { kib: 128, values: 500 } as const;

const OnlyEncrypted = EncryptedVersion.optional();
/** The fields that an encrypted version contains. */
const CONTENT = [...Object.keys(PlanFields), ...Object.keys(SettingsFields)];

/** Refuses, beside a version that the client encrypted, what that version contains. */
function refuseBeside(body: { encrypted?: unknown }, fields: readonly string[], context: z.RefinementCtx): void {
  for (const field of fields) {
    if ((body as Record<string, unknown>)[field] === undefined) continue;
    const message = `A schedule that your client has encrypted contains its ${field.replace("_", " ")}.`;
    context.addIssue({ code: "custom", path: [field], message, input: undefined });
  }
}

/**
 * The body of `POST /v1/schedules`: a schedule that the service encrypts with the API key, or one that the owner's
 * client has encrypted, which then chooses its id.
 */
export const CreateScheduleInput = z
  .strictObject({
    rule: PlanFields.rule.optional(),
    payments: PlanFields.payments.optional(),
    asset: PlanFields.asset.optional().meta({ description: "Symbol of the asset. USDG if omitted." }),
    name: SettingsFields.name.optional(),
    automatic: SettingsFields.automatic.optional(),
    window_seconds: SettingsFields.window_seconds.optional(),
    schedule_id: z
      .string()
      .refine((id): boolean => isId("schedule", id), "A schedule's id is `sch_` and a ULID.")
      .optional()
      .meta({ description: "With `encrypted`: the id under which your client has encrypted it." }),
    encrypted: OnlyEncrypted.meta({
      description: "The schedule, encrypted on your device, in place of the other fields. A session must send it.",
    }),
  })
  .superRefine((body, context) => {
    const needed = body.encrypted ? (["schedule_id"] as const) : (["rule", "payments"] as const);
    for (const field of needed.filter((name) => body[name] === undefined)) {
      context.addIssue({ code: "custom", path: [field], message: `Send ${field}.`, input: undefined });
    }
    if (body.encrypted) {
      if (body.encrypted.version !== 1) {
        const message = "A new schedule has version 1. Send a later one with PATCH.";
        context.addIssue({ code: "custom", path: ["encrypted", "version"], message, input: undefined });
      }
      return refuseBeside(body, CONTENT, context);
    }
    if (body.schedule_id !== undefined) {
      const message = "The service chooses the id of a schedule that it encrypts.";
      context.addIssue({ code: "custom", path: ["schedule_id"], message, input: undefined });
    }
    checkAmounts(body, context);
  })
  .meta({
    id: "CreateSchedule",
    description:
      "A schedule: `rule` and `payments`, which the service encrypts while the request is open, or `encrypted`.",
  });
export type CreateScheduleInput = z.infer<typeof CreateScheduleInput>;

/** The version that the caller has read. The request is refused if the schedule has another one. */
const VersionInput = VersionNumber.optional().meta({
  description: "The version you read. If the schedule has another one, you get `schedule_changed`.",
});

/** The body of `PATCH /v1/schedules/{id}`. */
export const ChangeScheduleInput = z
  .strictObject({
    status: z
      .enum(["active", "paused"], "status is active or paused.")
      .optional()
      .meta({ description: "`paused` stops it, `active` resumes it. Dates that pass meanwhile are left out." }),
    rule: PlanFields.rule.optional(),
    payments: PlanFields.payments.optional(),
    asset: PlanFields.asset.optional(),
    name: SettingsFields.name.optional(),
    automatic: SettingsFields.automatic.optional(),
    window_seconds: SettingsFields.window_seconds.optional(),
    version: VersionInput,
    encrypted: OnlyEncrypted.meta({
      description: "The next version, encrypted on your device, in place of the other fields. A session must send it.",
    }),
  })
  .superRefine((body, context) => {
    if (body.encrypted) refuseBeside(body, [...CONTENT, "status", "version"], context);
    else checkAmounts(body, context);
  })
  .refine(({ asset, payments }) => asset === undefined || payments !== undefined, {
    path: ["asset"],
    message: "With another asset, send the payments again.",
  })
  .meta({ id: "ChangeSchedule", description: "The fields to change. What is due already stays as it is." });
export type ChangeScheduleInput = z.infer<typeof ChangeScheduleInput>;

/** The body of `POST /v1/schedules/{id}/skip`. */
export const SkipInput = z
  .strictObject({
    date: DateText("date", "The date to leave out: the next one, or one that is due. If omitted, the next.").optional(),
    version: VersionInput,
  })
  .meta({ id: "SkipRun", description: "Which date to leave out." });
export type SkipInput = z.infer<typeof SkipInput>;

/** The body of `POST /v1/schedules/{id}/runs/{run}/pay`. */
export const PayRunInput = z
  .strictObject({
    late: z
      .boolean("late is true or false.")
      .default(false)
      .meta({ description: "`true` pays a run that was missed, or whose schedule is paused." }),
    version: z
      .int("version counts from 1.")
      .min(1, "version counts from 1.")
      .optional()
      .meta({ description: "The newest version you have seen. If the service has an older one, nothing is paid." }),
  })
  .meta({ id: "PayRun", description: "How to pay a run." });
export type PayRunInput = z.infer<typeof PayRunInput>;

const cursor = (kind: "schedule" | "scheduleRun", description: string) =>
  z
    .string()
    .refine((id): boolean => isId(kind, id), "starting_after is the id of an entry of the list.")
    .optional()
    .meta({ description });

const onlyThose = (name: string, description: string) =>
  z
    .literal("true", `${name} is true, or left out.`)
    .transform(() => true)
    .optional()
    .meta({ description, wire: { type: "boolean", enum: [true] } });

/** The query of `GET /v1/schedules`. */
export const ListSchedulesQuery = z.strictObject({
  limit: PAGE_QUERY.limit,
  starting_after: cursor("schedule", "Returns the schedules that come after the one with this id: the older ones."),
  status: z
    .enum(["active", "paused", "finished", "ended"], "status is active, paused, finished or ended.")
    .optional()
    .meta({ description: "Returns only schedules with this status." }),
  due: onlyThose("due", "Returns only schedules of which a payment is due."),
  stale: onlyThose("stale", "Returns only schedules that are encrypted under an earlier secret of the account."),
  include: IncludeQuery,
});
export type ListSchedulesQuery = z.infer<typeof ListSchedulesQuery>;

/** The query of what returns one schedule. */
export const GetScheduleQuery = z.strictObject({ include: IncludeQuery });

/** The query of `GET /v1/schedules/{id}/runs`. */
export const ListRunsQuery = z.strictObject({
  limit: PAGE_QUERY.limit,
  starting_after: cursor("scheduleRun", "Returns the runs that come after the one with this id: the earlier dates."),
});
export type ListRunsQuery = z.infer<typeof ListRunsQuery>;

/** The next dates of a schedule, as a client that has decrypted it says them. */
const RunPlan = z
  .strictObject({
    version: VersionNumber.meta({ description: "The version you decrypted." }),
    runs: SaidRuns,
    is_last: IsLast,
  })
  .meta({ id: "RunPlan", description: "The next dates of a schedule that your client has decrypted." });
export type RunPlan = z.infer<typeof RunPlan>;

/** The body of `POST /v1/schedules/{id}/runs`. */
export const PlanRunsInput = z
  .strictObject({
    plan: RunPlan.optional().meta({
      description:
        "The dates, if your client has decrypted the schedule. If omitted, the service decrypts it with the API key. A session must send it.",
    }),
  })
  .prefault({})
  .meta({ id: "PlanRuns", description: "You can omit the body: the API key then decrypts the schedule." });
export type PlanRunsInput = z.infer<typeof PlanRunsInput>;
