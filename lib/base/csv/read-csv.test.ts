import { describe, expect, test } from "vitest";
import { csvRecord } from "./csv-record";
import { CsvError, readCsv } from "./read-csv";

const RULES = { maxRows: 5_000, required: ["to", "amount"], optional: ["asset", "memo", "reference"] };
const read = (text: string) => readCsv(text, RULES);
const fieldsOf = (text: string) => read(text).rows.map(({ fields }) => fields);

function refusal(text: string): CsvError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof CsvError) return error;
  }
  throw new Error("the file was read");
}

describe("reading CSV", () => {
  const expected = [
    { to: "@ada", amount: "1.5" },
    { to: "@bob", amount: "2" },
  ];

  test.each([
    ["commas", "to,amount\n@ada,1.5\n@bob,2\n"],
    ["semicolons", "to;amount\n@ada;1.5\n@bob;2\n"],
    ["tabs", "to\tamount\n@ada\t1.5\n@bob\t2\n"],
    ["a byte order mark and CRLF", "\uFEFFto,amount\r\n@ada,1.5\r\n@bob,2\r\n"],
    ["line ends of old Macs", "to,amount\r@ada,1.5\r@bob,2"],
    ["quotes everywhere", '"to","amount"\n"@ada","1.5"\n"@bob","2"'],
    ["empty lines and lines of separators alone", "\nto,amount\n\n@ada,1.5\n,\n@bob,2\n\n"],
    ["a first line that names the separator", "\uFEFFsep=;\r\nto;amount\r\n@ada;1.5\r\n@bob;2\r\n"],
    ["empty fields at the end of lines", "to,amount,,\n@ada,1.5,,\n@bob,2,\n"],
    ["a header in capitals with spaces", "To, Amount \n@ada,1.5\n@bob,2"],
  ])("takes %s", (_name, text) => {
    expect(fieldsOf(text)).toEqual(expected);
  });

  test("separators, quotes and line ends inside of quotes are text", () => {
    expect(fieldsOf('to,amount,memo\n@ada,1,"a, ""b""\nc; d"\n@bob,2,x')).toEqual([
      { to: "@ada", amount: "1", memo: 'a, "b"\nc; d' },
      { to: "@bob", amount: "2", memo: "x" },
    ]);
  });

  test("a separator inside of a quoted name does not decide which one the file has", () => {
    const rules = { maxRows: 1 };
    expect(readCsv('"a,b,c";d\n1;2', rules)).toMatchObject({ separator: ";", columns: ["a,b,c", "d"] });
  });

  test("a row says on which line it begins", () => {
    expect(read('to,amount,memo\n@ada,1,"two\nlines"\n\n@bob,2,x').rows.map(({ line }) => line)).toEqual([2, 5]);
    expect(read("sep=,\r\nto,amount\r\n@ada,1").rows.map(({ line }) => line)).toEqual([3]);
  });

  test("a row may leave out its last fields", () => {
    expect(fieldsOf("to,amount,memo\n@ada,1")).toEqual([{ to: "@ada", amount: "1", memo: "" }]);
  });

  test("a name of JavaScript's own is a column as any other", () => {
    const { rows } = readCsv("__proto__,to\nx,y", { maxRows: 1 });
    expect(Object.entries(rows[0]?.fields ?? {})).toEqual([
      ["__proto__", "x"],
      ["to", "y"],
    ]);
  });

  test("5,000 rows are read and 5,001 are refused", () => {
    const row = "@ada,1\n";
    expect(read(`to,amount\n${row.repeat(5_000)}`).rows).toHaveLength(5_000);
    expect(refusal(`to,amount\n${row.repeat(5_001)}`).message).toBe("A file holds up to 5,000 rows. Split it.");
  });

  test.each([
    ["nothing", " \n", null],
    ["a missing column", "to,memo\n@ada,x", 1],
    ["an unknown column", "to,amount,mem\n@ada,1,x", 1],
    ["a column twice", "to,amount,to\n@ada,1,@bob", 1],
    ["more fields than columns", "to,amount\n@ada,1\n@ada,1,5", 3],
    ["a quote that never ends", 'to,amount\n@ada,1\n"@bob,2', 3],
    ["text after a quote", 'to,amount\n"@ada"x,1', 2],
  ])("refuses %s and says where", (_name, text, line) => {
    expect(refusal(text).line).toBe(line);
  });

  test("a refusal quotes no value of the file", () => {
    expect(refusal('to,amount\n@ada,1\n"731"9,2').message).not.toContain("731");
  });
});

describe("writing CSV", () => {
  test.each(["=1+1", "+1", "-1", "@ada", "\tx", "\rx", "\nx"])("%j is no formula for a spreadsheet", (text) => {
    expect(csvRecord([text])).toMatch(/^"?'/);
  });

  test.each([
    ["hi;=HYPERLINK(A1)", "hi;'=HYPERLINK(A1)"],
    ["a;+cmd|' /C calc'!A0;", "a;'+cmd|' /C calc'!A0;"],
    ["a|-1", "a|'-1"],
    ["a\t@b", "a\t'@b"],
  ])("%j is no formula for a spreadsheet with another separator", (text, written) => {
    expect(csvRecord([text])).toBe(`${written}\r\n`);
  });

  test("a line of a text is no formula for a spreadsheet that sees no quotes", () => {
    expect(csvRecord(["a\n=1+1"])).toBe(`"a\n'=1+1"\r\n`);
  });

  test("a text can't drive a terminal, turn a line or stop a reader; its tabs and lines stay", () => {
    expect(csvRecord(["a\u0000\u001b[31m\u009b\u202e\ufffe"])).toBe("a\ufffd\ufffd[31m\ufffd\ufffd\ufffd\r\n");
    expect(csvRecord(["a\tb\nc"])).toBe('"a\tb\nc"\r\n');
  });

  test("what is written is read again, with the apostrophe in front of formulas", () => {
    const written = csvRecord(["a", "b"]) + csvRecord(['x, "y"\nz', "=SUM(A1)"]);
    expect(readCsv(written, { maxRows: 1 }).rows[0]?.fields).toEqual({ a: 'x, "y"\nz', b: "'=SUM(A1)" });
  });
});
