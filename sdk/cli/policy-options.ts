import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Kind } from "@/lib/policy/rule";
import { REFERENCE, SERVICE } from "@/lib/policy/rules";
import { HalcyonError } from "../api/errors";
import { fileJson, fileText } from "../api/file-text";
import type { SpendPolicyFields } from "../api/resources/agents";
import { someOf } from "./option-values";

/** The options of a policy's rules by their names, and `--policy`. */
type PolicyOptions = Record<string, unknown> & { policy?: string };

type RecipientLimits = NonNullable<SpendPolicyFields["recipient_limits"]>;

/** Parses a limit in USDG. Refuses only what can't be sent as meant; the service checks the range. */
export function limit(text: string): number {
  if (/^-?[0-9]{1,10}(\.[0-9]{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number such as 100 or 12.5, with up to 6 places.");
}

/** Parses a limit or "none". It can't return null, which Commander turns into an empty text. */
function limitOrNone(text: string): number | "none" {
  return text === "none" ? text : limit(text);
}

/** Parses a whole number or "none". */
function countOrNone(text: string): number | "none" {
  if (text === "none") return text;
  if (/^[0-9]{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number such as 200, or "none".');
}

/**
 * Parses limits per recipient, such as `@shop=0.5/20,*=/100`: per payment, and per month. An empty text is an empty
 * list.
 */
function recipientLimits(text: string): RecipientLimits {
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

/** Reads the option of each kind of rule. Without a reader, the text is sent as it is. */
const READERS: Partial<Record<Kind, (text: string) => unknown>> = {
  money: limit,
  "optional money": limitOrNone,
  count: countOrNone,
  recipients: list,
  assets: list,
  "recipient limits": recipientLimits,
  switch: onOrOff,
};

const OPTIONS = Object.entries(REFERENCE).flatMap(([name, { option }]) => {
  const field = name as keyof typeof REFERENCE;
  const created = option && new Option(option.flags, option.help);
  const read = READERS[SERVICE[field].kind];
  return created ? [{ field, option: read ? created.argParser(read) : created }] : [];
});

/** Adds the options for the fields of a spend policy: as a file, and one by one. */
export function policyOptions(command: Command, fileOption: string): Command {
  command.option(fileOption, "JSON file with policy fields; the options below override it");
  for (const { option } of OPTIONS) command.addOption(option);
  return command;
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

/**
 * Returns the fields to change that options and file name.
 *
 * @throws HalcyonError `invalid_request` if they name none
 */
export async function changedPolicyFields(options: PolicyOptions & { file?: string }): Promise<SpendPolicyFields> {
  return someOf((await policyFields(options)) ?? {}, "a field of the policy, such as --daily-limit 200, or a --file");
}

/** Returns the fields given by options and file; options override the file. Undefined when there are none. */
export async function policyFields(options: PolicyOptions & { file?: string }): Promise<SpendPolicyFields | undefined> {
  const file = options.policy ?? options.file;
  const given = OPTIONS.map(({ field, option }) => [field, options[option.attributeName()]] as const);
  const named = Object.fromEntries(
    given.flatMap(([field, value]) => (value === undefined ? [] : [[field, value === "none" ? null : value]])),
  );
  if (file !== undefined) return { ...(await readFields(file)), ...named };
  return Object.keys(named).length > 0 ? named : undefined;
}
