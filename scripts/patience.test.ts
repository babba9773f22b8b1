import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Waits of Vitest's that end after a second unless they say otherwise; `expect.poll()` has the time of its project. */
const WAIT = /\bvi\.wait(?:For|Until)\(/g;
const LEAST_MS = 30_000;

/** Returns the waits in a source that a busy machine may not keep: their first lines. */
function impatient(source: string): string[] {
  return [...source.matchAll(WAIT)].flatMap(({ index }) => {
    let [end, depth] = [source.indexOf("(", index), 0];
    do {
      if (source[end] === "(") depth += 1;
      if (source[end] === ")") depth -= 1;
      end += 1;
    } while (depth > 0 && end < source.length);
    const call = source.slice(index, end);
    const [, limit = "0"] = /timeout: ([\d_]+)/.exec(call) ?? [];
    return Number(limit.replaceAll("_", "")) < LEAST_MS ? [call.split("\n")[0] ?? ""] : [];
  });
}

test("no test waits for less than a busy machine needs", () => {
  const files = execFileSync("git", ["ls-files", "*.test.ts", "*.test.tsx", "test/*.ts"], { encoding: "utf8" });
  const found = files
    .trim()
    .split("\n")
    .filter((file) => file !== "scripts/patience.test.ts")
    .flatMap((file) => impatient(readFileSync(file, "utf8")).map((line) => `${file}: ${line}`));
  expect(found, "use expect.poll(), or a timeout").toEqual([]);
  const planted = "vi.waitFor(() => expect(f(1)).toBe(2));\nvi.waitUntil(f, { timeout: 1_000 });\n";
  expect(impatient(`${planted}vi.waitFor(f, { timeout: 60_000 })`)).toEqual([
    "vi.waitFor(() => expect(f(1)).toBe(2))",
    "vi.waitUntil(f, { timeout: 1_000 })",
  ]);
});
