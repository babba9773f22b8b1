import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { HalcyonError } from "../api/errors";
import { fileJson, fileText } from "../api/file-text";
import type { SpendPolicyFields } from "../api/resources/agents";

interface PolicyOptions {
  policy?: string;
  dailyLimit?: number;
  perTransactionLimit?: number;
  threshold?: number;
  recipients?: string[];
  assets?: string[];
  activeHours?: string;
  timeZone?: string;
  monthlyLimit?: number | "none";
  paymentsPerDay?: number | "none";
  recipientLimits?: RecipientLimits;
  publicPayments?: boolean;
}

type RecipientLimits = NonNullable<SpendPolicyFields["recipient_limits"]>;

/** Parses a limit in USDG. Refuses only what can't be sent as meant; the service checks the range. */
export function limit(text: string): number {
  if (/^-?[0-9]{1,10}(\.[0-9]{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number such as 100 or 12.5, with up to 6 places.");
}

/** Parses a limit or "none". It can't return null, which Commander turns into an empty text. */
export function limitOrNone(text: string): number | "none" {
  return text === "none" ? text : limit(text);
}

/** Parses a whole number or "none". */
export function countOrNone(text: string): number | "none" {
  if (text === "none") return text;
  if (/^[0-9]{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number such as 200, or "none".');
}

/**
 * Parses limits per recipient, such as `@shop=0.5/20,*=/100`: per payment, and per month. An empty text is an empty
 * list.
 */
export function recipientLimits(text: string): RecipientLimits {
  return list(text).map((entry) => {
    const [, recipient = "", single = "", monthly = ""] = /^([^=]+)=([0-9.]*)(?:\/([0-9.]*))?$/.exec(entry) ?? [];
    if (recipient === "" || single + monthly === "") {
      throw new InvalidArgumentError(
        "It must be recipient=limit at a time/limit a month, such as @shop=0.5/20 or @shop=/20.",
      );
    }
    const bound = (digits: string) => (digits === "" ? null : limit(digits));
    return { recipient, per_transaction_limit_usdg: bound(single), monthly_limit_usdg: bound(monthly) };
  });
}

/** Parses a rule that is on or off. */
export function onOrOff(text: string): boolean {
  if (text === "on" || text === "off") return text === "on";
  throw new InvalidArgumentError('It must be "on" or "off".');
}

/** Parses names separated by commas. An empty text is an empty list. */
export function list(text: string): string[] {
  return text === "" ? [] : text.split(",").map((name) => name.trim());
}

/** Adds the options for the fields of a spend policy: as a file, and one by one. */
export function policyOptions(command: Command, fileOption: string): Command {
  return command
    .option(fileOption, "JSON file with policy fields; the options below override it")
    .option("--daily-limit <usdg>", "daily limit in USDG", limit)
    .option("--per-transaction-limit <usdg>", "limit per payment in USDG", limit)
    .option("--threshold <usdg>", "payments above this amount need your approval", limit)
    .option("--recipients <names>", "@handles, addresses, *.domains or *, separated by commas", list)
    .option("--assets <symbols>", "such as USDG,ETH", list)
    .option("--active-hours <range>", "such as 09:00-18:00")
    .option("--time-zone <zone>", "time zone of the active hours and of the daily limit, such as Europe/Berlin")
    .option("--monthly-limit <usdg>", 'monthly limit in USDG, or "none"', limitOrNone)
    .option("--payments-per-day <number>", 'the most payments a day, or "none"', countOrNone)
    .option(
      "--recipient-limits <limits>",
      "for each recipient, a payment/a month: @shop=0.5/20,*=/100",
      recipientLimits,
    )
    .option(
      "--public-payments <on|off>",
      "pay sellers over HTTP 402 that take public payments only (off by default; the chain then enforces only amounts)",
      onOrOff,
    );
}

/** Fields of a printed policy (`policy get --json`) that are not policy fields. */
const NOT_FIELDS = ["policy_id", "updated_at", "in_force", "ledger", "operation"];

async function readFields(file: string): Promise<SpendPolicyFields> {
  const bytes = await readFile(file).catch(() => {
    throw new HalcyonError("invalid_request", `Cannot read the policy file ${file}.`);
  });
  const read = fileJson(fileText(bytes));
  if (typeof read !== "object" || read === null) throw new HalcyonError("invalid_policy", `${file} is no JSON object.`);
  return Object.fromEntries(Object.entries(read).filter(([name]) => !NOT_FIELDS.includes(name)));
}

/** Returns the fields given by options and file; options override the file. Undefined when there are none. */
export async function policyFields(options: PolicyOptions & { file?: string }): Promise<SpendPolicyFields | undefined> {
  const file = options.policy ?? options.file;
  const given = {
    daily_limit_usdg: options.dailyLimit,
    per_transaction_limit_usdg: options.perTransactionLimit,
    hitl_threshold_usdg: options.threshold,
    allowed_recipients: options.recipients,
    assets: options.assets,
    active_hours: options.activeHours,
    time_zone: options.timeZone,
    monthly_limit_usdg: options.monthlyLimit === "none" ? null : options.monthlyLimit,
    payments_per_day: options.paymentsPerDay === "none" ? null : options.paymentsPerDay,
    recipient_limits: options.recipientLimits,
    public_payments: options.publicPayments,
  };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (file !== undefined) return { ...(await readFields(file)), ...named };
  return Object.keys(named).length > 0 ? named : undefined;
}
