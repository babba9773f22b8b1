import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LONG, withLongRun } from "./long";

it("each long part runs a script that there is, with options that it reads", () => {
  for (const [name, { command, records }] of Object.entries(LONG)) {
    const [file, ...args] = command;
    const text = readFileSync(file, "utf8");
    if (file.includes("vitest")) expect(existsSync(args.at(-1) ?? ""), name).toBe(true);
    if (file.includes("vitest")) continue;
    for (const option of [...args.filter((one) => /^--|^lies$/.test(one)), ...(records ? ["--record"] : [])]) {
      expect(text, name).toContain(option.replace(/^--/, ""));
    }
  }
});

it("every file of test/long is a part", () => {
  const run = Object.values(LONG).map(({ command }) => command.at(-1));
  for (const file of readdirSync("test/long")) expect(run).toContain(`test/long/${file}`);
});

it("runs add up in one table, and what else the file says stays", () => {
  const run = { name: "lies", minutes: 41.26, passed: true, last: "9 lies; 0 | wrong" } as const;
  const once = withLongRun("# Figures\n", "2026-11-29", "abc1234", run);
  const text = withLongRun(`${once}\n## Another\n`, "2026-11-30", "abc1235", { ...run, name: "kill", passed: false });
  expect(text).toContain(
    "| 2026-11-29 | abc1234 | lies | 41.3 | passed | 9 lies; 0 / wrong |\n| 2026-11-30 | abc1235 | kill | 41.3 | failed |",
  );
  expect(text).toMatch(/^# Figures\n[\s\S]*\n\n## Another\n$/);
});
