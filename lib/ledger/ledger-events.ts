import {
  type AbiParameterToPrimitiveType,
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbi,
  toEventSelector,
} from "viem";
import { LedgerError } from "./crypto/errors";
import { BATCH_COPY_LENGTH } from "./encrypted/batch-copy";
import { copyIn } from "./encrypted/copy-words";
import { PAYER_COPY_LENGTH } from "./encrypted/payer-copy";
import { RECIPIENT_COPY_LENGTH } from "./encrypted/recipient-copy";

/** The events of the ledger, in the order of its interface. */
export const LEDGER_EVENTS = parseAbi([
  "event Enrolled(address indexed account, bytes32 viewingKey, address paymentKey, uint64 paymentKeyUntil, bytes encryptedAccountKey)",
  "event PaymentKeySet(address indexed account, address paymentKey, uint64 paymentKeyUntil)",
  "event Guarded(address indexed account, bool guarded)",
  "event Abandoned(address indexed account, address indexed asset, uint256 oldAvailable)",
  "event AgentEnrolled(address indexed agent, address indexed owner)",
  "event AgentSignerSet(address indexed agent, address signer, uint64 until, uint64 policyVersion)",
  "event PolicySet(address indexed account, uint64 policyVersion, bool limited, bytes32 recipientsRoot, bytes32 documentHash, address[] assets, uint256[] commitments)",
  "event Deposited(address indexed account, address indexed asset, uint64 units)",
  "event MadeAvailable(address indexed account, address indexed asset, uint256 oldAvailable, uint256 newAvailable, uint256[8] notes, uint64 deposited, uint256 changeNote, bytes32[4] ciphertext)",
  "event Transferred(address indexed account, address indexed to, address asset, uint256 oldAvailable, uint256 newAvailable, uint256 note, bytes32[4] recipientCiphertext, bytes32[4] payerCiphertext)",
  "event Released(address indexed account, address indexed to, address asset, uint256 oldAvailable, uint256 newAvailable, uint64 amount, bytes32 paymentId, bytes32[4] payerCiphertext)",
  "event Limited(address indexed account, address asset, uint256 newAvailable, uint256 terms, uint256 encryptedAmount)",
  "event BatchTransferred(address indexed account, address asset, uint256 oldAvailable, uint256 newAvailable, bytes32[16] payerCiphertext)",
  "event Paid(address indexed account, address indexed to, address asset, uint256 note, bytes32[4] recipientCiphertext)",
  "event Funded(address indexed from, address indexed to, address asset, uint256 fromOldAvailable, uint256 fromNewAvailable, uint256 toOldAvailable, uint256 toNewAvailable, bytes32 paymentId, bytes32[4] fromCiphertext, bytes32[4] toCiphertext)",
  "event AssetListed(address indexed asset, uint256 unit)",
  "event DepositLimitSet(address indexed asset, uint256 limit)",
]);

/** Lengths of ciphertexts by their types. Ciphertexts are read without the zeros that pad them on chain. */
const COPY_LENGTHS = { "bytes32[4]": PAYER_COPY_LENGTH, "bytes32[16]": BATCH_COPY_LENGTH } as const;

/** The position of an event on chain. */
export interface EventPosition {
  blockNumber: bigint;
  logIndex: number;
  transactionHash: Hex;
}

type Shape = (typeof LEDGER_EVENTS)[number];
type ArgsOf<E extends Shape> = {
  [P in E["inputs"][number] as P["name"] & string]: P["type"] extends keyof typeof COPY_LENGTHS
    ? Hex
    : AbiParameterToPrimitiveType<P>;
};

/** An event of the ledger with its position. Addresses are in lower case. */
export type LedgerEvent<N extends Shape["name"] = Shape["name"]> = {
  [E in Shape as E["name"]]: EventPosition & { eventName: E["name"]; args: ArgsOf<E> };
}[N];

/** The events that move money. No other event changes what an account holds. */
export const MONEY_EVENTS = [
  "Deposited",
  "Abandoned",
  "MadeAvailable",
  "Transferred",
  "Released",
  "Limited",
  "BatchTransferred",
  "Paid",
  "Funded",
] as const;
export type MoneyEvent = LedgerEvent<(typeof MONEY_EVENTS)[number]>;

/** A log as a node returns it. */
export interface LedgerLog {
  topics: readonly Hex[];
  data: Hex;
  blockNumber: Hex;
  logIndex: Hex;
  transactionHash: Hex;
}

// Selectors are hashed once, not for each log.
const SHAPES = new Map<Hex, Shape>(LEDGER_EVENTS.map((event) => [toEventSelector(event), event]));

/** First topics of the ledger's events. */
export const LEDGER_TOPICS: readonly Hex[] = [...SHAPES.keys()];

/**
 * Decodes a log of the ledger; returns null for an event that the ledger does not have.
 *
 * @throws LedgerError for data that the ledger never writes
 */
export function decodeLedgerLog(log: LedgerLog): LedgerEvent | null {
  const [selector, ...topics] = log.topics;
  const shape = selector && SHAPES.get(selector.toLowerCase() as Hex);
  if (!shape) return null;
  try {
    const indexed = shape.inputs.filter((input) => "indexed" in input);
    const rest = shape.inputs.filter((input) => !("indexed" in input));
    if (topics.length !== indexed.length) throw new RangeError("a topic for each indexed parameter");
    const values = decodeAbiParameters(rest, log.data);
    // viem accepts integers that are too wide, and data with gaps. Accept only the canonical encoding.
    if (encodeAbiParameters(rest, values as never) !== log.data.toLowerCase()) throw new RangeError("other bytes");
    const args = Object.fromEntries([
      ...indexed.map(({ name }, at) => [name, addressIn(topics[at] ?? "0x")]),
      ...rest.map(({ name, type }, at) => [name, inLowerCase(readable(name, type, values[at]))]),
    ]);
    const position = {
      blockNumber: BigInt(log.blockNumber),
      logIndex: Number(log.logIndex),
      transactionHash: log.transactionHash,
    };
    return { eventName: shape.name, args, ...position } as LedgerEvent;
  } catch {
    throw new LedgerError("This is not a log of the ledger. Check the node that it came from.");
  }
}

/** Returns the value of an event's parameter; ciphertexts as their bytes. */
function readable(name: string, type: string, value: unknown): unknown {
  const length = COPY_LENGTHS[type as keyof typeof COPY_LENGTHS] as number | undefined;
  return length
    ? copyIn(value as readonly Hex[], name === "recipientCiphertext" ? RECIPIENT_COPY_LENGTH : length)
    : value;
}

/** Decodes an indexed parameter. All indexed parameters of the ledger are addresses. */
function addressIn(topic: Hex): Address {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(topic) ?? [];
  if (address === undefined) throw new RangeError("an address in 32 bytes");
  return `0x${address.toLowerCase()}`;
}

/** Converts all hex in a value to lower case: viem returns addresses with a checksum. */
export function inLowerCase<T>(value: T): T {
  if (typeof value === "string") return (value.startsWith("0x") ? value.toLowerCase() : value) as T;
  if (Array.isArray(value)) return value.map(inLowerCase) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inLowerCase(one)])) as T;
}
