import { decodePDFRawStream, PDFArray, PDFDocument, type PDFPage, type PDFRawStream } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Movement, makeStatement, type StatementParts } from "./make-statement";
import type { MovementType } from "./statement";
import { statementCsv } from "./statement-csv";
import { statementOfx } from "./statement-ofx";
import { statementPdf } from "./statement-pdf";

const HOLDER = `0x${"a1".repeat(20)}`;
const USDG = { symbol: "USDG", address: `0x${"cc".repeat(20)}`, decimals: 6 };
const ETH = { symbol: "ETH", address: `0x${"00".repeat(20)}`, decimals: 9 };
const START = Date.UTC(2026, 10, 1) / 1000;

const movement = (change: Partial<Movement> = {}): Movement => ({
  time: START + 60,
  blockNumber: 7n,
  logIndex: 0,
  transactionHash: `0x${"11".repeat(32)}`,
  type: "received",
  holder: HOLDER,
  asset: USDG.address,
  amount: 25_000_000n,
  counterparty: "@bob",
  counterpartyAddress: `0x${"b0".repeat(20)}`,
  reference: "INV-7",
  memo: null,
  transferId: "tr_1",
  refundOf: null,
  ...change,
});

const partsOf = (movements: Movement[], opening: bigint | null, closing: bigint | null): StatementParts => ({
  network: "test",
  chain_id: 46630,
  ledger: `0x${"aa".repeat(20)}`,
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-12-01T00:00:00.000Z",
  time_zone: "Europe/Zurich",
  created_at: "2026-11-23T13:00:00.000Z",
  block: "99",
  block_time: "2026-11-23T12:59:59.000Z",
  accounts: [{ name: "@ada", address: HOLDER }],
  assets: [USDG, ETH],
  balances: new Map([[USDG.address, { opening, closing }]]),
  movements,
  problems: [],
});

const units = (text: string | null, decimals: number) => {
  const [whole = "0", fraction = ""] = (text ?? "0").split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
};

const TYPES: MovementType[] = ["deposit", "received", "sent", "paid_out", "moved_out", "moved_in", "abandoned"];
const gains = (type: MovementType) => type === "deposit" || type === "received" || type === "moved_in";
const amounts = fc.tuple(fc.constantFrom(...TYPES), fc.bigInt(1n, 10n ** 15n));

describe("a statement", () => {
  test("adds up: opening and movements make the closing balance, and each row the next balance", () => {
    fc.assert(
      fc.property(fc.array(amounts), fc.bigInt(0n, 10n ** 15n), fc.constantFrom(USDG, ETH), (moves, start, asset) => {
        let [balance, index] = [start, 0];
        const movements = moves.flatMap(([type, amount]) => {
          const next = gains(type) ? balance + amount : balance - amount;
          if (next < 0n) return [];
          balance = next;
          index += 1;
          return [movement({ type, amount, asset: asset.address, logIndex: index })];
        });
        const ends = new Map([[asset.address, { opening: start, closing: balance }]]);
        const statement = makeStatement({ ...partsOf(movements.toReversed(), 0n, 0n), balances: ends });
        expect(statement.adds_up).toBe(true);
        const [of] = statement.assets;
        if (!of) {
          expect([start, movements]).toEqual([0n, []]);
          return;
        }
        const { decimals } = asset;
        const sum = units(of.opening, decimals) + units(of.paid_in, decimals) - units(of.paid_out, decimals);
        expect(sum).toBe(units(of.closing, decimals));
        expect(units(statement.rows.at(-1)?.balance ?? of.opening, decimals)).toBe(balance);
      }),
    );
  });

  test("does not add up when a row is missing, invented or has another amount, and then shows no running balance", () => {
    for (const movements of [[], [movement(), movement({ logIndex: 1 })], [movement({ amount: 24_000_000n })]]) {
      const statement = makeStatement(partsOf(movements, 10n, 25_000_010n));
      expect(statement).toMatchObject({ adds_up: false, problems: [{ code: "does_not_add_up" }] });
      expect(statement.rows.every(({ balance }) => balance === null)).toBe(true);
      expect(() => statementOfx(statement)).toThrow("does not add up");
      expect(statementCsv(statement)).toContain("does not add up");
    }
  });

  test("of an account with its agents counts what moved between them neither as paid in nor as paid out", () => {
    const agent = `0x${"a9".repeat(20)}`;
    const out = movement({ type: "moved_out", amount: 60_000_000n, logIndex: 1, counterpartyAddress: agent });
    const into = movement({ ...out, type: "moved_in", holder: agent, counterpartyAddress: HOLDER });
    const accounts = [
      { name: "@ada", address: HOLDER },
      { name: "@ada/bot", address: agent },
    ];
    const both = makeStatement({ ...partsOf([movement(), out, into], 75_000_000n, 100_000_000n), accounts });
    expect(both).toMatchObject({ adds_up: true, assets: [{ paid_in: "25", paid_out: "0", closing: "100", rows: 3 }] });
    const half = makeStatement({ ...partsOf([movement(), out], 75_000_000n, 100_000_000n), accounts });
    expect(half.adds_up).toBe(false);
  });

  test("never shows a balance that can't be decrypted, and counts no dust", () => {
    const lost = makeStatement(partsOf([movement({ type: "sent", amount: null })], 10n, null));
    expect(lost).toMatchObject({ adds_up: false, assets: [{ closing: null, unreadable: 1 }] });
    const dust = makeStatement(partsOf([movement(), movement({ logIndex: 1, amount: null })], 0n, 25_000_000n));
    expect(dust).toMatchObject({ adds_up: true, assets: [{ closing: "25", unreadable: 1 }] });
    expect(dust.problems).toEqual([expect.objectContaining({ code: "unreadable" })]);
    expect(statementOfx(dust).match(/<STMTTRN>/g)).toHaveLength(1);
  });
});

/** Returns the texts of a page. */
function textOf(page: PDFPage): string {
  const contents = page.node.Contents();
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents];
  const drawn = streams.map((at) => decodePDFRawStream(page.doc.context.lookup(at) as PDFRawStream).decode());
  const texts = drawn.map((bytes) => new TextDecoder("latin1").decode(bytes)).join("");
  return texts.replace(/<([0-9A-F]*)> Tj/g, (_, hex) => Buffer.from(hex, "hex").toString("latin1"));
}

describe("its files", () => {
  const memo = '=HYPERLINK("http://evil.example")';
  const statement = makeStatement(
    partsOf(
      [
        movement({ memo, reference: "+41 44" }),
        movement({ type: "sent", amount: 5_000_001n, logIndex: 1, memo: "a < b & c\u0000", reference: "x".repeat(64) }),
      ],
      0n,
      19_999_999n,
    ),
  );

  test("CSV: formulas are harmless, amounts are plain numbers, days are those of the zone", () => {
    const lines = statementCsv(statement).split("\r\n");
    expect(lines[1]).toBe("2026-11-01T00:00:00.000Z,2026-11-01 01:00,opening_balance,,,,USDG,,,0,,,,,");
    expect(lines[2]).toContain(`ada,bob,0x${"b0".repeat(20)},USDG,25,,25,'+41 44,"'=HYPERLINK(""http://evil`);
    expect(lines[3]).toContain(",USDG,,5.000001,19.999999,");
    // The period is not over: CSV, OFX and PDF end at the newest block.
    expect(lines[4]).toBe("2026-11-23T12:59:59.000Z,2026-11-23 13:59,closing_balance,,,,USDG,,,19.999999,,,,,");
    expect(statementOfx(statement)).toContain("<DTEND>20261123125959");
  });

  test("OFX: elements stand in the order of the specification, with its lengths, and texts are escaped", () => {
    const ofx = statementOfx(statement);
    expect(ofx).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8" standalone="no"\?>\n<\?OFX OFXHEADER="200" VERSION="220"/,
    );
    const [first = "", second = ""] = [...ofx.matchAll(/<STMTTRN>(.*?)<\/STMTTRN>/gs)].map(([, inner]) => inner);
    const names = (inner: string) => [...inner.matchAll(/<([A-Z]+)>/g)].map(([, name]) => name);
    expect(names(first)).toEqual(["TRNTYPE", "DTPOSTED", "TRNAMT", "FITID", "REFNUM", "NAME", "MEMO"]);
    expect(second).toContain("<TRNAMT>-5.000001</TRNAMT>");
    expect(second).toContain(`<MEMO>a &lt; b &amp; c · ${"x".repeat(64)}</MEMO>`);
    expect(second).not.toContain("REFNUM>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    expect(/<ACCTID>(.*?)<\/ACCTID>/.exec(ofx)?.[1]).toHaveLength(22);
    expect(ofx).toContain(
      "<LEDGERBAL><BALAMT>19.999999</BALAMT><DTASOF>20261123125959.000[0:GMT]</DTASOF></LEDGERBAL>",
    );
    expect(ofx).toContain("<DTPOSTED>20261101000100.000[0:GMT]</DTPOSTED>");
  });

  test("PDF: every row is in it, on as many pages as it takes", async () => {
    const many = Array.from({ length: 150 }, (_, n) =>
      movement({ logIndex: n, amount: 1n, memo: n === 3 ? "寿司" : null }),
    );
    const file = await statementPdf(makeStatement(partsOf(many, 0n, 150n)));
    const pages = (await PDFDocument.load(file)).getPages().map((page) => textOf(page));
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.join("").match(/Ref\. INV-7/g)).toHaveLength(150);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`${index + 1} of ${pages.length}`);
      expect(page).toContain("[?] stands for letters");
    }
  });
});
