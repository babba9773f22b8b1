import { createHash } from "node:crypto";
import { keccak256 } from "viem";

/** Something that must not be found anywhere: its name, and the bytes that would reveal it. */
export interface Needle {
  name: string;
  bytes: Buffer;
  /** Half a byte is missing before it, which in hex of whole bytes is a zero: after another digit it is chance. */
  odd?: boolean;
}

/** Where a needle was found. */
export interface Leak {
  needle: string;
  place: string;
  offset: number;
}

const ascii = (name: string, text: string): Needle => ({ name, bytes: Buffer.from(text, "utf8") });

/** Returns the base64 of a value at each of the three alignments it can have inside something longer. */
function base64Forms(name: string, value: Buffer): Needle[] {
  return [0, 1, 2].map((lead) => {
    const text = Buffer.concat([Buffer.alloc(lead, 0x20), value]).toString("base64");
    const first = lead === 0 ? 0 : lead + 1; // characters that hold bits of the lead
    const whole = Math.floor(((lead + value.length) * 8) / 6); // characters all of whose bits are ours
    return ascii(`${name}, base64 at ${lead}`, text.slice(first, whole));
  });
}

/**
 * Returns every form of a confidential amount: decimal, units, hex, raw in both byte orders, base64.
 *
 * @param decimal the amount as sent, with a fraction that makes it unique ("48211.730914")
 * @param decimals places of the asset
 */
export function amountNeedles(label: string, decimal: string, decimals: number): Needle[] {
  const [whole = "", fraction = ""] = decimal.split(".");
  const units = BigInt(whole + fraction.padEnd(decimals, "0"));
  const digits = units.toString(16);
  const bigEndian = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  if (bigEndian.length < 5) throw new Error("a canary below 2^32 units would be found by accident");
  const littleEndian = Buffer.from(bigEndian).reverse();
  return [
    ascii(`${label}, decimal`, decimal),
    ascii(`${label}, units`, units.toString()),
    { ...ascii(`${label}, hex`, digits), odd: digits.length % 2 === 1 },
    { ...ascii(`${label}, HEX`, digits.toUpperCase()), odd: digits.length % 2 === 1 },
    ascii(`${label}, hex little endian`, littleEndian.toString("hex")),
    { name: `${label}, raw big endian`, bytes: bigEndian },
    { name: `${label}, raw little endian`, bytes: littleEndian },
    ...base64Forms(`${label} decimal`, Buffer.from(decimal)),
    ...base64Forms(`${label} units`, Buffer.from(units.toString())),
    ...base64Forms(`${label} raw`, bigEndian),
  ];
}

/** Returns every form of a secret text: plain, hex, base64. */
export function textNeedles(label: string, text: string): Needle[] {
  const bytes = Buffer.from(text, "utf8");
  return [ascii(label, text), ascii(`${label}, hex`, bytes.toString("hex")), ...base64Forms(label, bytes)];
}

/** Returns unkeyed hashes of a request body. Anyone with such a hash could find the amount by trying. */
export function bodyHashNeedles(label: string, body: string): Needle[] {
  const digests: [string, Buffer][] = ["md5", "sha1", "sha256", "sha512", "sha3-256"].map((name) => [
    name,
    createHash(name).update(body).digest(),
  ]);
  digests.push(["keccak256", Buffer.from(keccak256(Buffer.from(body)).slice(2), "hex")]);
  return digests.flatMap(([name, digest]) => [
    { name: `${label}, ${name} raw`, bytes: digest },
    ascii(`${label}, ${name} hex`, digest.toString("hex")),
    ascii(`${label}, ${name} base64`, digest.toString("base64").replace(/=+$/, "")),
    ascii(`${label}, ${name} base64url`, digest.toString("base64url")),
  ]);
}

const DIGITS = new Set(Buffer.from("123456789abcdefABCDEF"));

/** Searches for many needles in one pass, however large the place. */
export class Scanner {
  private readonly starts = new Uint8Array(1 << 24);
  private readonly byStart = new Map<number, Needle[]>();

  constructor(readonly needles: readonly Needle[]) {
    for (const needle of needles) {
      const start = needle.bytes.readUIntBE(0, 3);
      this.starts[start] = 1;
      this.byStart.set(start, [...(this.byStart.get(start) ?? []), needle]);
    }
  }

  /** Returns the first place of each needle that occurs. */
  scan(place: string, content: Buffer | string): Leak[] {
    const hay = typeof content === "string" ? Buffer.from(content, "utf8") : content;
    const found = new Map<Needle, number>();
    let start = hay.length < 3 ? 0 : hay.readUInt16BE(0);
    for (let end = 2; end < hay.length; end++) {
      start = ((start << 8) | (hay[end] as number)) & 0xffffff;
      if (this.starts[start] === 0) continue;
      for (const needle of this.byStart.get(start) ?? []) {
        const offset = end - 2;
        if (needle.odd && DIGITS.has(hay[offset - 1] ?? 0)) continue;
        if (!found.has(needle) && hay.subarray(offset, offset + needle.bytes.length).equals(needle.bytes)) {
          found.set(needle, offset);
        }
      }
    }
    return [...found].map(([needle, offset]) => ({ needle: needle.name, place, offset }));
  }
}
