import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { WEEKDAYS } from "@/lib/policy/calendar/civil-date";
import { FREQUENCIES, type RuleInput, WEEKEND_RULES } from "@/lib/policy/calendar/rule";
import { HalcyonError } from "../api/errors";
import { fileJson, fileText } from "../api/file-text";
import type { OptionalPageInput } from "../api/paged";
import type { Schedule } from "../api/resources/schedules";
import type { Halcyon } from "../client";
import type { RunOutcome } from "../payments/schedules/run-due";
import type { CreateScheduleInput } from "../payments/schedules/write-schedule";
import { amountText } from "./amount-option";
import { moreOf, pageOptions } from "./listing";
import { lookAgain, untilStopped } from "./look-again";
import { integer, timeOfDay } from "./option-values";
import { table, time } from "./output";
import { list as namesOf } from "./policy-options";
import type { AddCommand } from "./program";
import { showDecryptedSchedule, showOutcome, showRuns, showSchedule, showWritten } from "./schedule-text";
import { withExamples } from "./with-examples";

interface RunnerInput {
  /** One schedule, for a key that is limited to it. */
  schedule?: string | undefined;
  signal: AbortSignal;
  tell: (outcome: RunOutcome) => void;
}

const STATES: readonly Schedule["status"][] = ["active", "paused", "finished", "ended"];
const SCHEDULE = "sch_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";

/** Parses a number of days or hours, such as `3d` or `12h`, into seconds. */
function spanOf(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,3})([dh])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (unit === "d" ? 86_400 : 3_600);
  throw new HalcyonError("invalid_request", "Give a span as a number and h or d, such as 3d.", { param: "window" });
}

function countOrLast(text: string): number | "last" {
  if (text === "last") return text;
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number such as 1, or "last".');
}

interface CreateOptions extends Omit<RuleInput, "frequency" | "time_zone"> {
  every: RuleInput["frequency"];
  timeZone?: string;
  to?: string;
  amount?: string;
  memo?: string;
  asset: string;
  payments?: string;
  name?: string;
  window?: number;
  automatic?: boolean;
}

function paymentsOf({ to, amount, memo, payments }: CreateOptions): CreateScheduleInput["payments"] {
  if (payments !== undefined) {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(payments);
    } catch {
      throw new HalcyonError("invalid_request", `Cannot read the file ${payments}.`, { param: "payments" });
    }
    const list = fileJson(fileText(bytes));
    if (Array.isArray(list)) return list;
    const message = `${payments} is no JSON list of payments: [{"to": "@bob", "amount": "25", "memo": "rent"}]`;
    throw new HalcyonError("invalid_request", message, { param: "payments" });
  }
  if (to === undefined || amount === undefined) {
    throw new HalcyonError("invalid_request", "Name --to and --amount, or a file of --payments.");
  }
  return [{ to, amount, ...(memo !== undefined && { memo }) }];
}

function inputOf(options: CreateOptions): CreateScheduleInput {
  const { every: frequency, timeZone: time_zone, asset, name, window: windowSeconds, automatic } = options;
  const { interval, weekdays, day, nth, weekday, month, start, time, weekends, count, until } = options;
  const rule = {
    frequency,
    interval,
    weekdays,
    day,
    nth,
    weekday,
    month,
    start,
    time,
    time_zone,
    weekends,
    count,
    until,
  };
  const given = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
  return { rule: given as unknown as RuleInput, payments: paymentsOf(options), asset, name, windowSeconds, automatic };
}

const createOptions = (command: Command) =>
  command
    .addOption(new Option("--every <frequency>", "how often").choices(FREQUENCIES).makeOptionMandatory())
    .requiredOption("--start <date>", "the first date that counts, such as 2027-01-31")
    .option("--interval <n>", "every so many days, weeks, months or years", integer)
    .option("--weekdays <days>", "weekly: monday,friday", namesOf)
    .option("--day <day>", "monthly and yearly: 1 to 31, or last; in a shorter month its last day", countOrLast)
    .option("--nth <n>", "monthly and yearly, with --weekday: 1 to 4, or last", countOrLast)
    .addOption(new Option("--weekday <day>", "the day of the week that --nth counts").choices(WEEKDAYS))
    .option("--month <n>", "yearly: 1 to 12", integer)
    .option("--time <time>", "HH:MM (default: 09:00)", timeOfDay)
    .option("--time-zone <zone>", "such as Europe/Berlin (default: UTC)")
    .addOption(new Option("--weekends <rule>", "a date on a weekend: keep, before, after").choices(WEEKEND_RULES))
    .option("--count <n>", "end after so many dates", integer)
    .option("--until <date>", "end after this date")
    .option("--to <who>", "@handle or 0x address")
    .option("--amount <amount>", "how much", amountText)
    .option("--memo <text>", "only the recipient can decrypt it")
    .option("--payments <file>", "2 to 16 payments: a JSON list of to, amount and memo")
    .option("--asset <asset>", "asset", "USDG")
    .option("--name <text>", "your name for it, encrypted")
    .option("--window <span>", "how long a run can be paid after it is due (default: 3d)", spanOf)
    .option("--automatic", "an unlocked dashboard pays without asking");

/** `schedules create`, `list`, `show`, `pause`, `resume`, `skip`, `end`, `run`. */
export const scheduleCommands: AddCommand = (program, reports) => {
  const schedules = withExamples(
    program.command("schedules").description("payments at set times; a client that holds a key pays them"),
    "schedules create --every monthly --start 2027-01-01 --to @landlord --amount 1200",
    "schedules run --once",
  );

  const create = withExamples(
    createOptions(schedules.command("create").description("create a schedule and show its next five dates")),
    "schedules create --every monthly --start 2027-01-31 --weekends before --time-zone Europe/Berlin --to @bob --amount 25",
    "schedules create --every weekly --weekdays monday --start 2027-01-04 --count 10 --to @bob --amount 5",
  );
  create.action(() =>
    reports.withClient(create, (client) => client.schedules.create(inputOf(create.opts())), showWritten),
  );

  const list = withExamples(
    pageOptions(schedules.command("list").description("list schedules, newest first")).addOption(
      new Option("--status <status>", "only those with this status").choices(STATES),
    ),
    "schedules list",
    "schedules list --status paused",
  );
  list.action(() =>
    reports.withClient(
      list,
      async (client) => {
        const asked = list.opts<OptionalPageInput & { status?: Schedule["status"] }>();
        if (asked.limit !== undefined) return client.schedules.list(asked);
        const schedules: Schedule[] = [];
        for await (const schedule of client.schedules.list({ ...asked, limit: 100 })) schedules.push(schedule);
        return { schedules, has_more: false };
      },
      (found) =>
        `${table(
          ["id", "status", "next", "due now"],
          found.schedules.map(({ schedule_id, status, next_run, due_runs }) => [
            schedule_id,
            status,
            next_run && time(next_run.due_at),
            due_runs.length > 0 ? String(due_runs.length) : null,
          ]),
          "No schedules yet. Create one with: halcyon schedules create",
        )}${moreOf(found)}`,
    ),
  );

  const show = withExamples(
    schedules
      .command("show")
      .description("show a schedule and its runs; with the wallet also whom and how much it pays")
      .argument("<id>", "the schedule's id"),
    `schedules show ${SCHEDULE}`,
  );
  show.action((id: string) =>
    reports.withClient(
      show,
      async (client) => {
        const schedule = await client.schedules.get(id);
        const { runs } = await client.schedules.runs(id);
        const canOpen = schedule.encrypted !== undefined && schedule.status !== "ended";
        const opened = canOpen ? await client.schedules.getDecrypted(id) : null;
        // What was decrypted names its version. Runs, status and times are what the service says.
        const { schedule_id, status, version, next_run, due_runs, created_at, updated_at } =
          opened?.schedule ?? schedule;
        const window_seconds = opened?.terms.window ?? schedule.window_seconds;
        const shown = { schedule_id, status, version, window_seconds, next_run, due_runs, created_at, updated_at };
        return { ...shown, terms: opened?.terms ?? null, runs };
      },
      ({ terms, runs, ...schedule }) =>
        `${terms ? showDecryptedSchedule({ schedule, terms }) : showSchedule(schedule)}\n\n${showRuns(runs)}`,
    ),
  );

  for (const [word, says] of [
    ["pause", "stop a schedule; dates that pass meanwhile are never paid"],
    ["resume", "go on with the next date"],
  ] as const) {
    const command = withExamples(
      schedules.command(word).description(says).argument("<id>", "the schedule's id"),
      `schedules ${word} ${SCHEDULE}`,
    );
    command.action((id: string) => reports.withClient(command, (client) => client.schedules[word](id), showWritten));
  }

  const skip = withExamples(
    schedules
      .command("skip")
      .description("leave out the next date, or one that is due")
      .argument("<id>", "the schedule's id")
      .option("--date <date>", "which date"),
    `schedules skip ${SCHEDULE}`,
  );
  skip.action((id: string) =>
    reports.withClient(skip, (client) => client.schedules.skip(id, skip.opts()), showWritten),
  );

  const end = withExamples(
    schedules.command("end").description("end a schedule for good").argument("<id>", "the schedule's id"),
    `schedules end ${SCHEDULE}`,
  );
  end.action((id: string) =>
    reports.withClient(
      end,
      (client) => client.schedules.end(id),
      ({ schedule_id }) => `Ended ${schedule_id}.`,
    ),
  );

  const run = withExamples(
    schedules
      .command("run")
      .description("pay what is due: until Ctrl-C, with --once one time, or one run by its id")
      .argument("[run]", "the id of one run, to pay it now; with --schedule")
      .option("--once", "look once and end, for cron")
      .option("--schedule <id>", "one schedule only, for a key that was created for it")
      .option("--late", "with a run's id: pay it although it was missed"),
    "schedules run",
    "schedules run --once --json",
    `schedules run run_01KADJ2C9B3T6Y0V8ZQ4N5M7WX --schedule ${SCHEDULE} --late`,
  );
  run.action((runId?: string) => {
    const { once, schedule, late } = run.opts<{ once?: boolean; schedule?: string; late?: boolean }>();
    if (runId !== undefined) {
      return reports.withClient(
        run,
        (client) => {
          if (schedule === undefined) throw new HalcyonError("invalid_request", "Name its schedule with --schedule.");
          return client.schedules.payRun(schedule, runId, { late });
        },
        (paid) => `${paid.status}  ${paid.run_id} of ${time(paid.due_at)}`,
      );
    }
    if (once) {
      return reports.withClient(
        run,
        async (client) => ({ runs: await client.schedules.runDue({ schedule }) }),
        ({ runs }) => (runs.length === 0 ? "Nothing is due." : runs.map(showOutcome).join("\n")),
      );
    }
    return reports.streaming<RunOutcome>(
      run,
      (client, tell, closed) => runSchedules(client, { schedule, signal: untilStopped(closed), tell }),
      showOutcome,
    );
  });
};

/**
 * Pays runs when they are due, until the signal aborts. A failed run is retried at the next pass, within its window,
 * and reported again only if its error changes.
 */
async function runSchedules(halcyon: Halcyon, { schedule, signal, tell }: RunnerInput): Promise<void> {
  const reported = new Map<string, string>();
  await lookAgain(signal, async () => {
    for (const outcome of await halcyon.schedules.runDue({ schedule })) {
      const name = outcome.run_id ?? outcome.schedule_id;
      const said = outcome.error?.code ?? "paid";
      if (reported.get(name) === said) continue;
      reported.set(name, said);
      tell(outcome);
    }
  });
}
