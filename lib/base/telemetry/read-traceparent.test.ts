import { describe, expect, it } from "vitest";
import { readTraceparent } from "./read-traceparent";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("traceparent", () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`00-${TRACE}-${SPAN}-fe`, false],
    [` 00-${TRACE}-${SPAN}-01 `, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true],
    [`cc-${TRACE}-${SPAN}-01`, true],
  ])("%s is a caller's span, recorded: %s", (header, sampled) => {
    expect(readTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  it.each([
    [undefined],
    [""],
    ["00"],
    [`ff-${TRACE}-${SPAN}-01`],
    [`00-${TRACE}-${SPAN}-01-more`],
    [`00-${TRACE}-${SPAN}-01.`],
    [`cc-${TRACE}-${SPAN}-01.more`],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`],
    [`00-${TRACE.slice(1)}-${SPAN}-01`],
    [`00-${"0".repeat(32)}-${SPAN}-01`],
    [`00-${TRACE}-${"0".repeat(16)}-01`],
    [`00-${TRACE}-${SPAN}-0`],
    [`00-${TRACE}-${SPAN}-0g`],
    [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    [[`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
  ])("%s is as if there were none", (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});
