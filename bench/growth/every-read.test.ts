import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LEFT_OUT, PARTS } from "./left-out";

const HERE = "bench/growth";

/** Files of the bench, which import what they measure. */
const measured = new Set(
  readdirSync(HERE)
    .filter((name) => name.endsWith(".ts") && !name.includes(".test."))
    .flatMap((name) => [...readFileSync(path.join(HERE, name), "utf8").matchAll(/ from "@\/(lib\/[^"]+)"/g)])
    .map(([, file]) => `${file}.ts`),
);

/** Returns code without its comments. */
const codeOf = (file: string) =>
  readFileSync(file, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");

const READS = /\.select(Distinct)?\(|\.\$count\(|\bselect\b[^;]*?\bfrom\b|\.unsafe/;
const WRITES =
  /\.(insert|update|delete)\((?!")|\binsert into\b|\bupdate \w+ (\w+ )?set\b|\bdelete from\b|for update|\.for\("|advisory/;
const LISTS = /^export (async )?function (list|find|get|read|count|search)[A-Z]/m;

/**
 * Reports whether a file is a list or a look-up: it reads tables and changes nothing, or a function of it that uses the
 * database is named like one.
 */
const isRead = (code: string) =>
  (READS.test(code) && !WRITES.test(code)) || (LISTS.test(code) && /from "@\/db\//.test(code));

const reads = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .map((name) => `lib/${name.replaceAll(path.sep, "/")}`)
  .filter((file) => file.endsWith(".ts") && !file.includes(".test.") && !file.startsWith("lib/payments/test-helpers/"))
  .filter((file) => isRead(codeOf(file)));

test("every list and look-up is measured or left out for a reason", () => {
  expect(reads.length).toBeGreaterThan(100);
  // Add it to lists.ts, look-ups.ts or worker-reads.ts.
  expect(reads.filter((file) => !measured.has(file) && !(file in LEFT_OUT) && !(file in PARTS))).toEqual([]);
});

test("what is left out exists and is not measured", () => {
  const named = Object.keys({ ...LEFT_OUT, ...PARTS });
  expect(named.filter((file) => !reads.includes(file) || measured.has(file))).toEqual([]);
});

test("a part of a read is imported by the read", () => {
  const apart = Object.entries(PARTS).filter(([part, whole]) => {
    return !measured.has(whole) || !codeOf(whole).includes(`/${path.basename(part, ".ts")}"`);
  });
  expect(apart).toEqual([]);
});

test("a new list would be noticed", () => {
  expect(isRead("export async function listThings() { return db().select().from(things); }")).toBe(true);
  expect(
    isRead('import { db } from "@/db/client";\nexport async function findThing() {\n  await tx.insert(x);\n}'),
  ).toBe(true);
  expect(isRead("export async function cut(text: string) { return text.slice(1); }")).toBe(false);
});
