import { type Address, type Hex, keccak256 } from "viem";
import { bigintToBytes, concat, fromHex, toHex, utf8 } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { assertUnits } from "../crypto/field";
import type { SpendLimits } from "../crypto/policy-commitment";
import { FixedFields } from "../encrypted/fixed-fields";
import { POLICY_SALT_LENGTH, type PolicyRef } from "./policy-salts";

/**
 * A reader that doesn't know a format refuses the document and thereby denies everything, so it can't overlook a rule.
 */
const PLAIN_FORMAT = 1;
/** The format of a policy with rules that format 1 does not have. */
const FURTHER_FORMAT = 2;
/** The format of a policy that allows public payments to sellers of the scheme `exact`. */
const PUBLIC_FORMAT = 3;
/** The format of a policy with rules that are written by their names. */
const NAMED_FORMAT = 4;
const DAY_MINUTES = 1_440;

/** A policy's rules for one asset. */
interface AssetPolicy extends SpendLimits {
  asset: Address;
  /**
   * Whether the asset may be spent at all. If not, its limits are still kept, so that nothing of the policy is lost.
   */
  allowed: boolean;
}

/** Optional rules. Null means no limit. */
export interface FurtherRules {
  /** Per calendar month, in units of USDG. */
  monthly: bigint | null;
  /** Per calendar day, for each asset separately. */
  paymentsPerDay: number | null;
  /** Sorted by the bytes of the recipients, without duplicates. Each has at least one of the two limits. */
  recipientLimits: readonly { recipient: string; perTransaction: bigint | null; monthly: bigint | null }[];
}

/** The complete policy of an agent, or of an account's own keys, which its hash on chain commits to. */
export interface PolicyDocument extends PolicyRef {
  paused: boolean;
  /** Minutes since midnight in the time zone. The end is exclusive. Overnight, the end is before the start. */
  hours: { start: number; end: number };
  /** Name of the time zone. */
  zone: string;
  /** Sorted by address, in lower case. */
  assets: readonly AssetPolicy[];
  /** As the policy writes them. Sorted by their bytes, without duplicates. */
  recipients: readonly string[];
  further: FurtherRules;
  /** Whether sellers that take public payments only may be paid. */
  publicPayments: boolean;
  /** Rules that formats 1 to 3 don't have, under their names in the API. */
  named: Readonly<Record<string, bigint>>;
}

const NO_FURTHER: FurtherRules = { monthly: null, paymentsPerDay: null, recipientLimits: [] };
/** How long they are written. */
const NO_FURTHER_LENGTH = 4;
/** What a document has for the optional rules of a policy without any. */
export const NO_OPTIONAL_RULES = { further: NO_FURTHER, publicPayments: false, named: {} };

function text(value: string, what: string): Uint8Array {
  const bytes = utf8(value);
  if (bytes.length === 0 || bytes.length > 255 || /[^\x21-\x7e]/.test(value)) {
    throw new LedgerError(`A ${what} of a policy has 1 to 255 printable ASCII characters.`);
  }
  return concat(Uint8Array.of(bytes.length), bytes);
}

function assertAscending(keys: readonly string[], what: string): void {
  keys.forEach((key, index) => {
    if (index > 0 && (keys[index - 1] ?? "") >= key)
      throw new LedgerError(`The ${what} of a policy stand in order, each once.`);
  });
}

function assertHours({ start, end }: PolicyDocument["hours"]): void {
  const whole = Number.isInteger(start) && Number.isInteger(end);
  if (!whole || start < 0 || start >= DAY_MINUTES || end < 0 || end > DAY_MINUTES || start === end) {
    throw new LedgerError("Hours of a policy are two different minutes of the day.");
  }
}

/** Checks an address's length, because a different length would shift all fields that follow. */
function addressBytes(address: Address): Uint8Array {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new LedgerError("An address of a policy has 20 bytes.");
  return fromHex(address);
}

function integer(value: bigint | number, length: number): Uint8Array {
  const units = BigInt(value);
  assertUnits(units);
  return bigintToBytes(units, length);
}

const flag = (is: boolean) => Uint8Array.of(is ? 1 : 0);

/** Encodes a list: its length as an integer of `length` bytes, and each entry. */
function list<T>(entries: readonly T[], length: number, bytesOf: (entry: T) => Uint8Array): Uint8Array {
  return concat(integer(entries.length, length), ...entries.map(bytesOf));
}

function assetBytes({ asset, allowed, perPayment, daily, threshold }: AssetPolicy): Uint8Array {
  return concat(
    addressBytes(asset),
    flag(allowed),
    ...[perPayment, daily, threshold].map((units) => integer(units, 8)),
  );
}

/** Encodes an optional limit: 0 if there is none, otherwise 1 and an integer of `length` bytes. */
function boundBytes(bound: bigint | number | null, length: number): Uint8Array {
  return bound === null ? flag(false) : concat(flag(true), integer(bound, length));
}

function furtherBytes({ monthly, paymentsPerDay, recipientLimits }: FurtherRules): Uint8Array {
  assertAscending(
    recipientLimits.map(({ recipient }) => recipient),
    "recipients' limits",
  );
  const isEmpty = recipientLimits.some((limit) => limit.perTransaction === null && limit.monthly === null);
  if (isEmpty) throw new LedgerError("A policy leaves out the rules that it does not have.");
  return concat(
    boundBytes(monthly, 8),
    boundBytes(paymentsPerDay, 4),
    list(recipientLimits, 2, (limit) =>
      concat(text(limit.recipient, "recipient"), boundBytes(limit.perTransaction, 8), boundBytes(limit.monthly, 8)),
    ),
  );
}

/**
 * Encodes a policy document in its only valid form:
 *
 *   format (1) | chain id (32) | ledger (20) | holder (20) | version (8) | paused (1) | start (2) | end (2)
 *   | zone: length (1), text
 *   | assets: count (1), each address (20), allowed (1), per payment (8), daily (8), threshold (8)
 *   | recipients: count (2), each length (1), text
 *
 * Format 1 ends there. Format 2 is for policies with further rules. A limit is 0, or 1 and its integer:
 *
 *   | a month: limit (8) | payments a day: limit (4)
 *   | limits of recipients: count (2), each length (1), text, per payment: limit (8), a month: limit (8)
 *
 * Format 3 is for policies that allow public payments, with or without further rules. It has the fields of format 2.
 * Format 4 is for policies with rules that the others don't have, named as in the API. It has the fields of format 2,
 * then:
 *
 *   | public payments (1) | named rules, by name: count (1), each length (1), name, value (8)
 *
 * @throws LedgerError for what has no such form: unsorted or duplicate entries, or hours or text that no policy can
 *   have; RangeError for a list that is too long
 */
export function writePolicyDocument(document: PolicyDocument): Uint8Array {
  const { scope, holder, version, paused, hours, zone, assets, recipients, further, publicPayments, named } = document;
  const names = Object.keys(named).sort();
  const isNamed = names.length > 0;
  const furtherRules = furtherBytes(further);
  const plain = furtherRules.length > NO_FURTHER_LENGTH ? FURTHER_FORMAT : PLAIN_FORMAT;
  const format = isNamed ? NAMED_FORMAT : publicPayments ? PUBLIC_FORMAT : plain;
  assertHours(hours);
  assertAscending(
    assets.map(({ asset }) => asset.toLowerCase()),
    "assets",
  );
  assertAscending(recipients, "recipients");
  return concat(
    integer(format, 1),
    integer(scope.chainId, 32),
    addressBytes(scope.ledger),
    addressBytes(holder),
    integer(version, 8),
    flag(paused),
    integer(hours.start, 2),
    integer(hours.end, 2),
    text(zone, "time zone"),
    list(assets, 1, assetBytes),
    list(recipients, 2, (entry) => text(entry, "recipient")),
    ...(format === PLAIN_FORMAT ? [] : [furtherRules]),
    ...(isNamed ? [flag(publicPayments), list(names, 1, namedBytes)] : []),
  );

  function namedBytes(name: string): Uint8Array {
    return concat(text(name, "rule"), integer(named[name] ?? 0n, 8));
  }
}

/**
 * Decodes a policy document of a ledger. A policy whose document can't be decoded allows nothing.
 *
 * @throws LedgerError for another format, another ledger, and any bytes that `writePolicyDocument` never writes
 */
export function readPolicyDocument(scope: PolicyRef["scope"], bytes: Uint8Array): PolicyDocument {
  try {
    const document = parse(scope, new FixedFields(bytes));
    if (toHex(writePolicyDocument(document)) === toHex(bytes)) return document;
  } catch {
    // The reason doesn't matter: in any case, the policy allows nothing.
  }
  throw new LedgerError("This is not a policy that this version understands. It allows nothing.");
}

function parse(scope: PolicyRef["scope"], fields: FixedFields): PolicyDocument {
  const address = () => toHex(fields.bytes(20)) as Address;
  const small = (length: number) => Number(fields.integer(length));
  const flag = () => small(1) === 1;
  const ascii = () => String.fromCharCode(...fields.bytes(small(1)));
  const format = small(1);
  fields.bytes(32 + 20);
  const [holder, version, paused] = [address(), fields.integer(8), flag()];
  const [hours, zone] = [{ start: small(2), end: small(2) }, ascii()];
  const assets = Array.from({ length: small(1) }, () => {
    const [asset, allowed] = [address(), flag()];
    return { asset, allowed, perPayment: fields.integer(8), daily: fields.integer(8), threshold: fields.integer(8) };
  });
  const recipients = Array.from({ length: small(2) }, ascii);
  const bound = (length: number) => (flag() ? fields.integer(length) : null);
  const further = () => {
    const [monthly, number] = [bound(8), bound(4)];
    const recipientLimits = Array.from({ length: small(2) }, () => {
      return { recipient: ascii(), perTransaction: bound(8), monthly: bound(8) };
    });
    return { monthly, paymentsPerDay: number === null ? null : Number(number), recipientLimits };
  };
  const rules = format === PLAIN_FORMAT ? NO_FURTHER : further();
  const publicPayments = format === PUBLIC_FORMAT || (format === NAMED_FORMAT && flag());
  const named: Record<string, bigint> = {};
  for (let left = format === NAMED_FORMAT ? small(1) : 0; left > 0; left--) {
    const name = ascii();
    named[name] = fields.integer(8);
  }
  fields.end();
  return { scope, holder, version, paused, hours, zone, assets, recipients, further: rules, publicPayments, named };
}

/**
 * Returns keccak256(policy salt || document), the `documentHash` of `setPolicy`. Without the salt it reveals nothing.
 */
export function policyDocumentHash(policySalt: Uint8Array, document: PolicyDocument): Hex {
  if (policySalt.length !== POLICY_SALT_LENGTH) throw new RangeError("a policy salt has 32 bytes");
  return keccak256(concat(policySalt, writePolicyDocument(document)));
}
