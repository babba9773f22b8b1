import { readFileSync } from "node:fs";
import fc from "fast-check";
import { type AbiEvent, type AbiParameter, encodeAbiParameters, type Hex, toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { address, bytes } from "@/test/ledger/arbitraries";
import { toHex } from "./crypto/bytes";
import { LedgerError } from "./crypto/errors";
import { decodeLedgerLog, LEDGER_EVENTS, LEDGER_TOPICS, type LedgerLog } from "./ledger-events";

const interfaceText = readFileSync("contracts/src/interfaces/ILedger.sol", "utf8");

/** Generates any value of a type that events use. */
function anyOfType(type: string): fc.Arbitrary<unknown> {
  if (type === "bytes32[4]" || type === "bytes32[16]") return anyCopy(Number(/\d+(?=\]$)/.exec(type)));
  const [, item, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (item !== undefined) {
    const size = length ? { minLength: Number(length), maxLength: Number(length) } : { maxLength: 3 };
    return fc.array(anyOfType(item), size);
  }
  if (type === "address") return address;
  if (type === "bool") return fc.boolean();
  if (type === "bytes32") return bytes(32).map(toHex);
  if (type === "bytes") return fc.uint8Array({ maxLength: 200 }).map(toHex);
  return fc.bigInt(0n, (1n << BigInt(type.slice(4))) - 1n);
}

interface Case {
  eventName: string;
  args: Record<string, unknown>;
  log: LedgerLog;
}

/** Ciphertexts are read without the zeros that pad them on chain. If anything else is there, they are read whole. */
function asRead(name: string, type: string, value: unknown): unknown {
  if (type !== "bytes32[4]" && type !== "bytes32[16]") return value;
  const all = (value as Hex[]).map((commitment) => commitment.slice(2)).join("");
  const length = name === "recipientCiphertext" ? 120 : type === "bytes32[16]" ? 484 : 124;
  return `0x${/^0*$/.test(all.slice(2 * length)) ? all.slice(0, 2 * length) : all}`;
}

/** Generates copies. Three of four are padded with zeros, as the library writes them. */
function anyCopy(words: number): fc.Arbitrary<Hex[]> {
  const filled = fc.constantFrom(8, 4, 12, 0);
  return fc.tuple(bytes(32 * words), filled).map(([all, zeros]) => {
    all.fill(0, all.length - zeros);
    return Array.from({ length: words }, (_, at) => toHex(all.slice(32 * at, 32 * at + 32)));
  });
}

const position = { blockNumber: "0x10", logIndex: "0x2", transactionHash: `0x${"ab".repeat(32)}` } as const;

function caseOf(event: AbiEvent): fc.Arbitrary<Case> {
  const inputs = event.inputs as readonly (AbiParameter & { name: string; indexed?: boolean })[];
  return fc.tuple(...inputs.map(({ type }) => anyOfType(type))).map((values) => {
    const named = inputs.map((input, at) => ({ ...input, value: values[at] }));
    const rest = named.filter(({ indexed }) => !indexed);
    const topics = named
      .filter(({ indexed }) => indexed)
      .map(({ value }) => `0x${"00".repeat(12)}${(value as Hex).slice(2)}` as Hex);
    return {
      eventName: event.name,
      args: Object.fromEntries(named.map(({ name, type, value }) => [name, asRead(name, type, value)])),
      log: {
        topics: [toEventSelector(event), ...topics],
        data: encodeAbiParameters(rest, rest.map(({ value }) => value) as never),
        ...position,
      },
    };
  });
}

const anyCase = fc.oneof(...LEDGER_EVENTS.map((event) => caseOf(event)));
const runs = { numRuns: 200 };

describe("the ledger's events", () => {
  it("are those of the contract's interface, name by name and type by type", () => {
    const declared = [...interfaceText.matchAll(/^ {4}(event [^;]+);/gm)].map(([, text = ""]) =>
      text.replace(/\s+/g, " ").replace("( ", "(").replace(" )", ")"),
    );
    expect(declared.length).toBe(LEDGER_EVENTS.length);
    const written = LEDGER_EVENTS.map(
      ({ name, inputs }) =>
        `event ${name}(${inputs.map((one) => `${one.type}${"indexed" in one ? " indexed" : ""} ${one.name}`).join(", ")})`,
    );
    expect(written).toEqual(declared);
  });

  it("come back from their logs as they were written, with addresses in lower case", () => {
    fc.assert(
      fc.property(anyCase, ({ eventName, args, log }) => {
        const at = { blockNumber: 16n, logIndex: 2, transactionHash: position.transactionHash };
        expect(decodeLedgerLog(log)).toEqual({ eventName, args, ...at });
      }),
      runs,
    );
  });

  it("are refused with the library's own error when a byte is missing, added or out of range", () => {
    fc.assert(
      fc.property(anyCase, fc.nat(), ({ log }, at) => {
        const refused = (other: Partial<LedgerLog>) =>
          expect(() => decodeLedgerLog({ ...log, ...other })).toThrow(LedgerError);
        refused({ data: `${log.data}00` });
        refused({ data: `${log.data}${"00".repeat(32)}` });
        if (log.data !== "0x") refused({ data: log.data.slice(0, 2 + 2 * (at % (log.data.length / 2 - 1))) as Hex });
        refused({ topics: log.topics.slice(0, -1) });
        refused({ topics: [...log.topics, `0x${"00".repeat(32)}`] });
        const wide = log.topics.map((topic, index) => (index === 0 ? topic : (`0x01${topic.slice(4)}` as Hex)));
        if (wide.length > 1) refused({ topics: wide });
      }),
      runs,
    );
  });

  it("are never half read: any change of a log gives another event, or the library's own error", () => {
    const flipped = fc.tuple(anyCase, fc.nat(), fc.integer({ min: 1, max: 15 }));
    fc.assert(
      fc.property(flipped, ([{ log }, at, bits]) => {
        fc.pre(log.data.length > 2);
        const place = 2 + (at % (log.data.length - 2));
        const digit = (Number.parseInt(log.data[place] ?? "0", 16) ^ bits).toString(16);
        const data = `${log.data.slice(0, place)}${digit}${log.data.slice(place + 1)}` as Hex;
        try {
          expect(decodeLedgerLog({ ...log, data })).not.toEqual(decodeLedgerLog(log));
        } catch (error) {
          expect(error).toBeInstanceOf(LedgerError);
        }
      }),
      runs,
    );
  });

  it("are distinct from all others, which are passed over", () => {
    expect(new Set(LEDGER_TOPICS).size).toBe(LEDGER_EVENTS.length);
    expect(decodeLedgerLog({ topics: [], data: "0x", ...position })).toBeNull();
    expect(decodeLedgerLog({ topics: [`0x${"11".repeat(32)}`], data: "0x1234", ...position })).toBeNull();
  });
});
