import { describe, expect, it } from "vitest";
import { createLogger, REDACTED_FIELDS } from "@/lib/log";

const CANARY = "7391.042187";

function lines(write: (log: ReturnType<typeof createLogger>) => void): string {
  let out = "";
  const collect = (line: string) => {
    out += line;
  };
  write(createLogger("trace", { write: collect }));
  return out;
}

describe("the log", () => {
  it.each(REDACTED_FIELDS)("never writes the field %s, down to four levels", (field) => {
    const leaf = { [field]: CANARY };
    const out = lines((log) => {
      log.info(leaf, "level one");
      log.info({ a: leaf }, "level two");
      log.info({ a: { b: leaf } }, "level three");
      log.info({ a: { b: { c: leaf } } }, "level four");
    });
    expect(out).not.toContain(CANARY);
    expect(out.match(/\[redacted\]/g)).toHaveLength(4);
  });

  it("writes fields that are not on the list, so that the checks above can fail", () => {
    expect(lines((log) => log.info({ handle: CANARY }, "x"))).toContain(CANARY);
  });

  it("never writes an error's message, its cause's message or its own fields", () => {
    const error = Object.assign(new Error(`cannot pay ${CANARY}`, { cause: new Error(`inner ${CANARY}`) }), {
      parameters: [CANARY],
      code: "23505",
    });
    const out = lines((log) => log.error({ err: error }, "failed"));
    expect(out).not.toContain(CANARY);
    expect(out).toContain("23505");
  });

  it("never writes an error passed alone", () => {
    const error = new Error(`cannot pay ${CANARY}`);
    const out = lines((log) => {
      log.error(error, "failed");
      log.error(error);
    });
    expect(out.split("\n")).toHaveLength(3);
    expect(out).not.toContain(CANARY);
  });
});
