import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { type Asked, asksForBlind } from "./ask-key-kind";

/** Gives what a person types at a terminal, and keeps what that person reads. */
function typed(text: string, { isTTY = true, printsTo = true } = {}) {
  const terminal = { stdin: new PassThrough(), stdout: { isTTY: printsTo }, stderr: new PassThrough() };
  Object.assign(terminal.stdin, { isTTY });
  Object.assign(terminal.stderr, { isTTY });
  terminal.stdin.end(text);
  const read = () => String(terminal.stderr.read() ?? "");
  return { answer: asksForBlind(terminal as Asked), read };
}

test("at a terminal it asks in one sentence what kind of key to create, and again after another word", async () => {
  for (const [text, isBlind] of [
    ["blind\n", true],
    ["Plain\n", false],
    ["p\n", false],
    ["\n", true],
    ["curl\nplain\n", false],
  ] as const) {
    const { answer, read } = typed(text);
    expect(await answer, text).toBe(isBlind);
    expect(read()).toContain("the service sees no amount");
  }
});

test("without a terminal, or if a program reads the key, it asks nothing and the key is plain", async () => {
  for (const no of [{ isTTY: false }, { printsTo: false }]) {
    const { answer, read } = typed("blind\n", no);
    expect(await answer).toBe(false);
    expect(read()).toBe("");
  }
});

test("a terminal that is closed creates no key", async () => {
  await expect(typed("").answer).rejects.toMatchObject({ code: "invalid_request" });
});
