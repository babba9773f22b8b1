import { expect, test } from "vitest";
import { inFile, readPayoutFile, rowPlace } from "./payout-file";
import { payoutTotals } from "./payout-totals";

const rows = [
  { to: "@ada", amount: "1.5", memo: "wages; November" },
  { to: "@bob", amount: "2", asset: "ETH", reference: "r-2" },
];

test.each([
  ["CSV", 'to,amount,memo,asset,reference\n@ada,1.5,"wages; November",,\n@bob,2,,ETH,r-2\n'],
  [
    "CSV with semicolons, a byte order mark and CRLF",
    '\uFEFFTo;Amount;Memo;Asset;Reference\r\n@ada;1.5;"wages; November";;\r\n@bob;2;;ETH;r-2\r\n',
  ],
  ["tabs, in another order", "reference\tasset\tamount\tto\tmemo\n\t\t1.5\t@ada\twages; November\nr-2\tETH\t2\t@bob"],
  ["a list in JSON", JSON.stringify(rows)],
  ["JSON with rows", ` ${JSON.stringify({ rows })}`],
])("%s is read", (_name, text) => {
  expect(readPayoutFile(text).rows).toEqual(rows);
});

test("a row says on which line it begins, and exported cells are read as what they were", () => {
  const file = readPayoutFile('to,amount,memo\n\n"\'@ada",1,"two\nlines"\n@bob,2,');
  expect(file).toMatchObject({ lines: [3, 5], rows: [{ to: "@ada" }, { to: "@bob" }] });
});

test("faults say where a row is in its file, also where they name another row", () => {
  const message = "This row has the recipient, asset, amount and reference of row 2. Remove it, or allow duplicates.";
  const table = readPayoutFile('to,amount,memo\n@ada,1,"two\nlines"\n\n@bob,2,\n@bob,2,');
  expect(rowPlace(table, 3)).toBe("line 6");
  expect(inFile(table, [{ message }])[0]?.message).toContain("reference of line 5. Remove it");
  const list = readPayoutFile(JSON.stringify([...rows, rows[1]]));
  expect(rowPlace(list, 3)).toBe("row 3");
  expect(inFile(list, [{ message }])).toEqual([{ message }]);
});

const unclearIn = (text: string, comma?: "grouping" | "decimal") =>
  readPayoutFile(text, comma).unclear.map(({ row, param, message }) => `${row} ${param}: ${message}`);

test("an amount that is 1234 to one reader and 1.234 to another is refused where no other shows which is meant", () => {
  const said = "This could be 1234 or 1.234. Write 1234 or 1.2340.";
  expect(unclearIn("to;amount\n@ada;1.234\n@bob;5")).toEqual([`1 amount: ${said}`]);
  expect(unclearIn("to\tamount\n@ada\t1.234\n@bob\t5", "decimal")).toEqual([`1 amount: ${said}`]);
  expect(unclearIn("to,amount\n@ada,5\n@bob,1.234", "decimal")).toEqual([`2 amount: ${said}`]);
  // The comma shows that a dot groups thousands. That row is refused as well.
  expect(unclearIn('to;amount\n@ada;1.234\n@bob;"25,50"\n@eve;2.5')).toEqual([`1 amount: ${said}`]);
});

test("a file that shows that its dots separate decimals is read as it always was", () => {
  for (const shown of ["25.50", "0.125", "1234.567", "1.2345"]) {
    expect(unclearIn(`to;amount\n@ada;1.234\n@bob;${shown}`, "decimal"), shown).toEqual([]);
  }
  expect(unclearIn("to;amount\n@ada;1234\n@bob;1.2340")).toEqual([]);
  // Spreadsheets put tabs on the clipboard wherever they are used: like commas, they say nothing of a dot.
  for (const separator of [",", "\t"]) expect(unclearIn(`to${separator}amount\n@ada${separator}1.250`)).toEqual([]);
  expect(unclearIn(JSON.stringify([{ to: "@ada", amount: "1.234" }]), "decimal")).toEqual([]);
});

test.each([
  ["nothing", ""],
  ["a header alone", "to,amount\n"],
  ["no amount", "to,memo\n@ada,x"],
  ["a misspelled column", "to,amount,refrence\n@ada,1,x"],
  ["5,001 rows of CSV", `to,amount\n${"@ada,1\n".repeat(5_001)}`],
  ["5,001 rows of JSON", JSON.stringify(Array(5_001).fill(rows[0]))],
  ["an amount that is a number", '[{"to":"@ada","amount":1.5}]'],
  ["an unknown field", '[{"to":"@ada","amount":"1","cc":"@bob"}]'],
  ["no rows", '{"payments":[]}'],
  ["broken JSON", '[{"to":"@ada"'],
  ["a row that is a text", '["@ada"]'],
  ["a field that a row has twice", '[{"to":"@ada","amount":"0.01","amount":"0.09"}]'],
  ["a character that another program lost", "to,amount,reference\n@ada,1,M\ufffdller-11"],
])("%s is refused", (_name, text) => {
  expect(() => readPayoutFile(text)).toThrow(expect.objectContaining({ code: "invalid_request", param: "file" }));
});

test("5,000 rows are read", () => {
  expect(readPayoutFile(`to,amount\n${"@ada,1\n".repeat(5_000)}`).rows).toHaveLength(5_000);
});

test("totals are by asset, and say nothing of an amount that is none", () => {
  const assets = [
    { symbol: "USDG", decimals: 6 as const },
    { symbol: "ETH", decimals: 9 as const },
  ];
  expect(payoutTotals([...rows, { to: "@eve", amount: "0.000001" }], assets)).toEqual([
    { asset: "USDG", amount: "1.500001", rows: 2 },
    { asset: "ETH", amount: "2", rows: 1 },
  ]);
  expect(payoutTotals([{ to: "@ada", amount: "0.12345678" }], assets)).toEqual([
    { asset: "USDG", amount: null, rows: 1 },
  ]);
});
