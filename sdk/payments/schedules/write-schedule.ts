import { parseAmount } from "@/lib/base/money";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { encryptSchedule } from "@/lib/ledger/encrypted/schedule";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { MOST_PAYMENTS, WINDOW, writeTerms } from "@/lib/policy/calendar/document";
import { inOrder, isScheduleOver, nextDates, planRuns } from "@/lib/policy/calendar/plan-runs";
import { checkRule, RuleFault, type RuleInput } from "@/lib/policy/calendar/rule";
import { firstAhead, goOn, isPaused, lastPart, pause, type ScheduleTerms, skip } from "@/lib/policy/calendar/terms";
import { HalcyonError } from "../../api/errors";
import { requireSameId } from "../../api/require-same-id";
import type { Schedule, WrittenSchedule } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import type { Vault } from "../../context/vault/vault";
import { orResponseLost } from "../attempts/or-response-lost";
import { notBlind } from "../blind/home";
import { viewingKeyOf } from "../payment";
import { resolveRecipient } from "../recipient";
import { type DecryptedSchedule, decryptSchedule } from "./decrypt-schedule";
import { callSchedules, checkVersion, getSchedule, pathOf, writeSchedule } from "./schedule-calls";

/** The input of a new schedule: what it pays, when, and how. */
export interface CreateScheduleInput {
  rule: RuleInput;
  /** 1 to 16 payments in one asset. Each run makes all of them, or none. */
  payments: { to: string; amount: string; memo?: string | undefined }[];
  /** Default: `USDG`. */
  asset?: string | undefined;
  name?: string | undefined;
  /** Lets an unlocked dashboard pay its runs without asking. */
  automatic?: boolean | undefined;
  /** How long a run can be paid after it is due, in seconds. Default: three days. */
  windowSeconds?: number | undefined;
}

/** The changes to a schedule. Fields you leave out keep their values. */
export type ChangeScheduleInput = Partial<CreateScheduleInput> &
  Pick<SkipDateInput, "version"> & { status?: "active" | "paused" | undefined };

/** Converts the fields to those of `/v1`. */
function bodyOf({ windowSeconds, ...input }: ChangeScheduleInput) {
  return { ...input, ...(windowSeconds !== undefined && { window_seconds: windowSeconds }) };
}

function ruleOf(input: RuleInput) {
  try {
    return checkRule(input);
  } catch (error) {
    if (!(error instanceof RuleFault)) throw error;
    throw new HalcyonError("invalid_request", error.message, { param: `rule.${error.param}` });
  }
}

async function paymentsOf(
  context: Context,
  { payments, asset: symbol }: Pick<CreateScheduleInput, "payments" | "asset">,
) {
  if (payments.length < 1 || payments.length > MOST_PAYMENTS) {
    throw new HalcyonError("invalid_request", `A schedule makes 1 to ${MOST_PAYMENTS} payments.`, {
      param: "payments",
    });
  }
  const asset = await context.asset(symbol);
  return Promise.all(
    payments.map(async ({ to, amount, memo }) => {
      parseAmount(amount, asset.decimals);
      const recipient = await resolveRecipient(context, context.wallet.address, to);
      viewingKeyOf(recipient);
      return { to, address: lowerCase(recipient.address), amount, ...(memo !== undefined && { memo }) };
    }),
  );
}

const nothingAhead = () =>
  new HalcyonError("invalid_request", "This schedule has no date ahead. Choose a later start or end.", {
    param: "rule",
  });

const newSeed = () => toHex(randomBytes(32));

interface Putting {
  after: string | null;
  skipped?: string;
  now: Date;
  /** For a rotation: the next secret, under which to encrypt. */
  under?: Pick<Vault, "secret" | "secretVersion">;
}

/** A version of a schedule that was encrypted on this machine. Storing it again changes nothing. */
export type EncryptedVersion = Awaited<ReturnType<typeof encrypt>>;

/** Encrypts a version, with the dates that are due or come next. */
async function encrypt(
  context: Context,
  id: string,
  version: number,
  terms: ScheduleTerms,
  { after, skipped, now, under }: Putting,
) {
  const [vault, scope] = await Promise.all([under ?? context.vault(), context.scope()]);
  const ref = { scope, account: context.wallet.address, id, version };
  const body = {
    version,
    secret_version: vault.secretVersion,
    ciphertext: toHex(encryptSchedule(vault.secret, ref, writeTerms(terms))),
    window_seconds: terms.window,
    status: isPaused(terms) ? "paused" : "active",
    runs: inOrder(planRuns(terms, after, now)).map(({ date, dueAt }) => ({ date, due_at: dueAt.toISOString() })),
    is_last: isScheduleOver(terms, now),
    ...(skipped !== undefined && { skipped }),
  };
  return { id, body };
}

/** Stores an encrypted version. */
export function storeVersion(context: Context, { id, body }: EncryptedVersion): Promise<Schedule> {
  const stored =
    body.version === 1
      ? writeSchedule(context, "POST", "", { schedule_id: id, encrypted: body })
      : writeSchedule(context, "PATCH", pathOf(id), { encrypted: body });
  return requireSameId("schedule_id", id, stored, true);
}

/**
 * Stores an encrypted version, and returns what was stored. The runs, the status and the times are what the service
 * says.
 */
async function write(
  context: Context,
  encrypted: EncryptedVersion,
  terms: ScheduleTerms,
  now: Date,
): Promise<WrittenSchedule> {
  const { status, next_run, due_runs, created_at, updated_at } = await storeVersion(context, encrypted);
  return {
    schedule_id: encrypted.id,
    version: encrypted.body.version,
    window_seconds: terms.window,
    ...{ status, next_run, due_runs, created_at, updated_at },
    next_dates: nextDates(terms, now).map(({ date, dueAt }) => ({ date, due_at: dueAt.toISOString() })),
  };
}

/** Encrypts a new schedule with the wallet's keys. Stores nothing. */
export async function encryptNewSchedule(context: Context, input: CreateScheduleInput, now = new Date()) {
  const rule = ruleOf(input.rule);
  const first = firstAhead(rule, rule.start, now);
  if (!first) throw nothingAhead();
  const { name = "", automatic = false, windowSeconds: window = WINDOW.standard, asset = "USDG" } = input;
  const part = { rule, asset, payments: await paymentsOf(context, input), from: first.date, seed: newSeed() };
  const terms: ScheduleTerms = { name, automatic, window, skipped: [], parts: [part] };
  return { terms, encrypted: await encrypt(context, newScheduleId(now.getTime()), 1, terms, { after: null, now }) };
}

/** Keeps amounts that only a plain key or the wallet schedules on this machine. */
function refuseHomeKey({ homeKey }: Context): void {
  if (homeKey !== undefined) throw notBlind("make schedules");
}

/** Creates a schedule. Implements `schedules.create`. */
export async function createSchedule(
  context: Context,
  input: CreateScheduleInput,
  idempotencyKey?: string,
  now = new Date(),
): Promise<WrittenSchedule> {
  if (!context.hasWallet) {
    refuseHomeKey(context);
    const key = idempotencyKey ?? crypto.randomUUID();
    const created = callSchedules<WrittenSchedule>(context, "POST", "", { json: bodyOf(input), idempotencyKey: key });
    return orResponseLost(key, created);
  }
  const { terms, encrypted } = await encryptNewSchedule(context, input, now);
  return write(context, encrypted, terms, now);
}

/** Returns the date after which dates are planned again: that of the newest run that is not in the future. */
function knownUntil({ schedule }: DecryptedSchedule): string | null {
  const last = schedule.encrypted?.last_date ?? null;
  return last !== null && last === schedule.next_run?.date ? null : last;
}

async function rewrite(
  context: Context,
  opened: DecryptedSchedule,
  terms: ScheduleTerms,
  now: Date,
  skipped?: string,
): Promise<WrittenSchedule> {
  const { schedule_id: id, version } = opened.schedule;
  const at = { after: knownUntil(opened), now, ...(skipped !== undefined && { skipped }) };
  return write(context, await encrypt(context, id, version + 1, terms, at), terms, now);
}

/** Changes, pauses or resumes a schedule. Implements `schedules.update`. */
export async function changeSchedule(
  context: Context,
  scheduleId: string,
  input: ChangeScheduleInput,
  now = new Date(),
): Promise<WrittenSchedule> {
  if (!context.hasWallet) {
    refuseHomeKey(context);
    const asked = callSchedules<WrittenSchedule>(context, "PATCH", pathOf(scheduleId), { json: bodyOf(input) });
    return requireSameId("schedule_id", scheduleId, asked, true);
  }
  const opened = await decryptSchedule(context, await getSchedule(context, scheduleId));
  checkVersion(opened.schedule, input.version);
  const { terms } = opened;
  const { name = terms.name, automatic = terms.automatic, windowSeconds: window = terms.window } = input;
  const settings = { ...terms, name, automatic, window };
  if (input.status === "paused") return rewrite(context, opened, pause(settings, now), now);
  const last = lastPart(terms);
  const payments = input.payments && (await paymentsOf(context, { ...input, payments: input.payments }));
  const isNew = input.rule !== undefined || payments !== undefined || isPaused(terms);
  if (!isNew || (isPaused(terms) && input.status === undefined)) return rewrite(context, opened, settings, now);
  const plan = {
    rule: input.rule ? ruleOf(input.rule) : last.rule,
    asset: input.asset ?? last.asset,
    payments: payments ?? last.payments,
  };
  // Keep the seed, so that a run paid under either version is recognized by its tag.
  const changed = goOn(settings, plan, last.seed, now);
  if (!changed) throw nothingAhead();
  return rewrite(context, opened, changed, now);
}

/** The date to skip. Default: the next one. */
export interface SkipDateInput {
  date?: string | undefined;
  /** The version you read: if the schedule's version differs, nothing changes. */
  version?: number | undefined;
}

/** Skips a date. Implements `schedules.skip`. */
export async function skipDate(
  context: Context,
  scheduleId: string,
  { date, version }: SkipDateInput = {},
  idempotencyKey?: string,
  now = new Date(),
): Promise<WrittenSchedule> {
  if (!context.hasWallet) {
    const json = { date, version };
    const path = pathOf(scheduleId, "skip");
    const asked = callSchedules<WrittenSchedule>(context, "POST", path, { json, idempotencyKey });
    return requireSameId("schedule_id", scheduleId, asked, true);
  }
  const opened = await decryptSchedule(context, await getSchedule(context, scheduleId));
  checkVersion(opened.schedule, version);
  const skipped = date ?? nextDates(opened.terms, now, 1)[0]?.date;
  if (skipped === undefined) throw nothingAhead();
  return rewrite(context, opened, skip(opened.terms, skipped), now, skipped);
}

/** Ends a schedule. Implements `schedules.end`. */
export async function endSchedule(context: Context, scheduleId: string): Promise<{ schedule_id: string }> {
  await callSchedules(context, "DELETE", pathOf(scheduleId));
  return { schedule_id: scheduleId };
}

/** Encrypts a schedule again under the account's next secret, with a new seed for future runs. */
export async function rewriteUnder(
  context: Context,
  opened: DecryptedSchedule,
  under: Pick<Vault, "secret" | "secretVersion">,
  now = new Date(),
): Promise<void> {
  const { terms, schedule } = opened;
  const fresh = isPaused(terms) ? terms : (goOn(terms, lastPart(terms), newSeed(), now) ?? terms);
  const at = { after: knownUntil(opened), now, under };
  await storeVersion(context, await encrypt(context, schedule.schedule_id, schedule.version + 1, fresh, at));
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns a new schedule id: `sch_` and a ULID. The client chooses it, because the encrypted schedule is bound to its
 * id.
 */
function newScheduleId(now = Date.now()): string {
  let time = "";
  for (let left = now, place = 0; place < 10; place++) {
    time = DIGITS.charAt(left % 32) + time;
    left = Math.floor(left / 32);
  }
  const random = Array.from(randomBytes(16), (byte) => DIGITS.charAt(byte % 32)).join("");
  return `sch_${time}${random}`;
}
