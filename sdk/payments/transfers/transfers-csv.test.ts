import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HARMFUL } from "@/lib/base/harmful-characters";
import { type ExportedTransfer, transfersCsv } from "./transfers-csv";

/** Parses strictly by RFC 4180, section 2. */
function parse(csv: string): string[][] {
  const records: string[][] = [];
  let rest = csv;
  let record: string[] = [];
  while (rest !== "") {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (!match) throw new Error(`no CSV at ${JSON.stringify(rest.slice(0, 40))}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "\r\n") {
      records.push(record);
      record = [];
    }
    rest = rest.slice(match[0].length);
  }
  return records;
}

const ROW: ExportedTransfer = {
  transfer_id: "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
  created_at: "2026-11-21T08:00:00.000Z",
  confirmed_at: null,
  status: "pending",
  direction: "sent",
  kind: "transfer",
  from_handle: "alice",
  from_address: `0x${"a1".repeat(20)}`,
  to_handle: "bob",
  to_address: `0x${"b0".repeat(20)}`,
  asset: "USDG",
  amount: "12.5",
  memo: null,
  confidential: true,
  tx_hash: `0x${"cc".repeat(32)}`,
  api_key_id: null,
  reference: "order-7",
  refund_of: null,
};

const memoOf = (csv: string) => parse(csv)[1]?.[12];

describe("the CSV of transfers", () => {
  it("has a head and one record of the same width for each transfer, in order", () => {
    const [head = [], ...records] = parse(transfersCsv([ROW, { ...ROW, amount: "0.000001" }]));
    expect(records.map((record) => Object.fromEntries(head.map((name, at) => [name, record[at]])))).toEqual(
      ["12.5", "0.000001"].map((amount) => ({
        ...ROW,
        amount,
        confirmed_at: "",
        memo: "",
        api_key_id: "",
        refund_of: "",
        confidential: "true",
      })),
    );
    expect(parse(transfersCsv([]))).toHaveLength(1);
  });

  it("gives every memo back as it was written, but for apostrophes that disarm formulas and characters that do harm", () => {
    const plain = (text: string) => text.replace(/'(?=[=+\-@\t\r\n])/g, "");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (memo) => {
        const read = memoOf(transfersCsv([{ ...ROW, memo }]));
        expect(plain(read ?? "")).toBe(plain(memo.replace(HARMFUL, "\ufffd")));
      }),
    );
  });

  it("holds no field that a spreadsheet would run", () => {
    for (const start of ["=", "+", "-", "@", "\t", "\r", "\n"]) {
      const memo = `${start}HYPERLINK("https://evil.example","x")`;
      expect(memoOf(transfersCsv([{ ...ROW, memo }]))).toBe(`'${memo}`);
    }
    expect(memoOf(transfersCsv([{ ...ROW, memo: 'a=1, "b"\r\n@c' }]))).toBe('a=1, "b"\r\n\'@c');
  });
});
