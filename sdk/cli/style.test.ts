import { describe, expect, it } from "vitest";
import { showsColour } from "./style";

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
