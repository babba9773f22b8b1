import type { Command } from "commander";
import { HalcyonError } from "../api/errors";

/** Commands under the names that the SDK and the API give them. */
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

/** What people write for a verb, and the verbs they may mean. */
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

/** Where in a command line its first two words stand that are neither options nor values of the program's options. */
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
 * Puts the name a command has here in the place of the one it has in the SDK: `transfers list` is `transfers`. An option
 * between the two words ends the search: its value could be taken for a word.
 *
 * @throws HalcyonError `invalid_request` for a subcommand that is none, naming what was probably meant
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
  // A group without work of its own says by itself which spelling comes closest.
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
