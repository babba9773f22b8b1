import type { Command } from "commander";
import { HalcyonError } from "../api/errors";

/** Commands by the names they have in the SDK and the API. */
const ALIASES: Readonly<Record<string, string>> = {
  "account create": "signup",
  "account get": "whoami",
  "approvals approve": "approve",
  "approvals list": "pending",
  "approvals reject": "reject",
  "audit-log list": "audit-log",
  "balances get": "balances",
  "balances make-available": "make-available",
  "events list": "events",
  "limits get": "limits",
  "policies get": "policy get",
  "policies update": "policy set",
  "proofs-of-funds create": "proof-of-funds",
  "proofs-of-funds verify": "verify-proof-of-funds",
  "receipts create": "receipt",
  "receipts verify": "verify-receipt",
  "transfers create": "send",
  "transfers list": "transfers",
  "withdrawals create": "withdraw",
};

/** Verbs that people may try, and the existing verbs they may mean. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  add: ["create"],
  clear: ["remove"],
  delete: ["revoke", "remove", "end"],
  describe: ["get"],
  disable: ["pause", "off"],
  edit: ["set", "update"],
  enable: ["resume", "on"],
  generate: ["new", "create"],
  get: ["list"],
  ls: ["list"],
  make: ["create", "new"],
  new: ["create"],
  remove: ["delete", "revoke", "end"],
  rm: ["delete", "revoke", "remove", "end"],
  show: ["get", "list"],
  start: ["resume"],
  stop: ["pause", "end"],
  update: ["set"],
  view: ["get", "list"],
};

/**
 * Returns the positions of the first two words in a command line that are neither options nor values of global options.
 */
function positions(program: Command, args: readonly string[]): number[] {
  const valued = new Set(program.options.filter(({ required }) => required).map(({ long }) => long));
  const found: number[] = [];
  for (let at = 0; at < args.length && found.length < 2; at++) {
    const word = args[at] ?? "";
    if (word === "--") break;
    if (valued.has(word)) at++;
    else if (!word.startsWith("-")) found.push(at);
  }
  return found;
}

/**
 * Replaces the SDK's name of a command by the command line's: `transfers list` becomes `transfers`. Stops at an option
 * between the two words, because its value could be mistaken for a word.
 *
 * @throws HalcyonError `invalid_request` for an unknown subcommand, suggesting the one that was probably meant
 */
export function resolveNames(program: Command, args: readonly string[]): string[] {
  const [first, second] = positions(program, args);
  const [group, verb] = [args[first ?? -1], args[second ?? -1]];
  if (first === undefined || group === undefined || verb === undefined || second !== first + 1) return [...args];
  const alias = Object.hasOwn(ALIASES, `${group} ${verb}`) ? ALIASES[`${group} ${verb}`] : undefined;
  if (alias !== undefined) return [...args.slice(0, first), ...alias.split(" "), ...args.slice(second + 1)];
  const command = program.commands.find((each) => each.name() === group);
  const names = command?.commands.map((each) => each.name()) ?? [];
  const isKnown =
    verb === "help" || command?.commands.some((each) => each.name() === verb || each.aliases().includes(verb));
  // For a group without an action of its own, Commander suggests the closest spelling itself.
  if (names.length === 0 || isKnown) return [...args];
  const meant = Object.hasOwn(SYNONYMS, verb) ? SYNONYMS[verb]?.find((name) => names.includes(name)) : undefined;
  if (meant) throw unknown(group, verb, `Did you mean \`${group} ${meant}\`?`);
  if (command?.registeredArguments.length === 0 && ALIASES[`${group} list`] === group) {
    throw unknown(group, verb, `There is \`${group}\`, and \`${group} ${names.join(`\`, \`${group} `)}\`.`);
  }
  return [...args];
}

const unknown = (group: string, verb: string, hint: string) =>
  new HalcyonError("invalid_request", `There is no command \`${group} ${verb}\`. ${hint}`);
