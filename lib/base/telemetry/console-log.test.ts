import { expect, test } from "vitest";
import { logConsole } from "./console-log";
import { createLogger } from "./log";

const CANARY = "amt=7391.042187";

function written(write: (target: Console) => void): string[] {
  const out: string[] = [];
  const logger = createLogger("trace", { write: (line) => void out.push(line) });
  const target = { ...console } as Console;
  logConsole(target, () => logger);
  write(target);
  return out;
}

test("what a library writes to the console is a line of JSON, without its text, at its level", () => {
  const lines = written((target) => {
    target.error("⨯", new SyntaxError(`Unexpected token 'a', "${CANARY}" is not valid JSON`));
    target.error(CANARY, { body: CANARY });
    target.warn(`Invalid URL ${CANARY}`);
    target.log("%s", CANARY);
    target.info(CANARY);
    target.debug(CANARY);
    target.trace(CANARY);
  });
  expect(lines.join("")).not.toContain("7391");
  const parsed = lines.map((line) => JSON.parse(line));
  expect(parsed.map(({ level }) => level)).toEqual(["error", "error", "warn", "info", "info", "debug", "debug"]);
  expect(parsed[0].err.type).toBe("SyntaxError");
  expect(parsed[0].err.at.join()).toContain("console-log.test.ts");
  expect(parsed[1].err.at.join()).toContain("console-log.test.ts");
});
