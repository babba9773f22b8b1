import { describe, expect, it, vi } from "vitest";
import { red, showsColour } from "./style";
import { terminalOf } from "./terminal-of";

const TERMINAL = { isTTY: true };
const PIPE = {};

describe("colour", () => {
  it.each([
    [TERMINAL, {}, true],
    [PIPE, {}, false],
    [TERMINAL, { NO_COLOR: "1" }, false],
    [TERMINAL, { NO_COLOR: "" }, true],
    [TERMINAL, { TERM: "dumb" }, false],
    [PIPE, { FORCE_COLOR: "1" }, true],
    [PIPE, { FORCE_COLOR: "" }, true],
    [PIPE, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [TERMINAL, { FORCE_COLOR: "0" }, false],
    [TERMINAL, { FORCE_COLOR: "false" }, false],
  ])("on %o with %o is %s", (stream, variables, shown) => {
    expect(showsColour(stream, variables)).toBe(shown);
  });
});

describe("other people's texts", () => {
  const written = (isTTY: boolean, text: string) => {
    const to: string[] = [];
    const stream = { isTTY, on: () => {}, write: (part: string) => to.push(part) > 0 } as unknown as NodeJS.WriteStream;
    void terminalOf({ stdout: stream as typeof process.stdout, stderr: stream as typeof process.stderr }).out(text);
    return to.join("");
  };

  it("don't drive a terminal, whichever command prints them; a pipe gets the text of JSON as it is", () => {
    vi.stubEnv("FORCE_COLOR", "1");
    const body = '"a\u009b2Jb\u202ec\u0000"';
    expect(written(true, `${body}\u001b[2J\t\n`)).toBe('"a\ufffd2Jb\ufffdc\ufffd"\ufffd[2J\t\n');
    expect(written(false, '"a\u202ec"')).toBe('"a\u202ec"');
    vi.stubEnv("FORCE_COLOR", "0");
    expect(written(true, `${body}\u001b[2J\t\n`)).toBe('"ab\ufffdc\ufffd"\t\n');
    vi.unstubAllEnvs();
  });

  it("leave our own color on a terminal", () => {
    vi.stubEnv("FORCE_COLOR", "1");
    expect(written(true, red("no"))).toBe(red("no"));
    vi.unstubAllEnvs();
  });
});
