import { describe, expect, it } from "vitest";
import { withRequest } from "./current-request";
import { createLogger, REDACTED_FIELDS } from "./log";

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
  it.each(REDACTED_FIELDS)("never writes the field %s, however deep", (field) => {
    const leaf = { [field]: CANARY };
    const out = lines((log) => {
      log.info(leaf, "level one");
      log.info({ a: leaf }, "level two");
      log.info({ a: { b: leaf } }, "level three");
      log.info({ a: { b: { c: leaf } } }, "level four");
      log.info({ a: [{ b: { c: { d: [{ e: leaf }] } } }] }, "level seven");
      log.info({ a: new Map([["b", leaf]]) }, "in a map");
      log.child(leaf).info("bound");
      log.child({ at: "first" }).child({ a: leaf }).info("bound below");
    });
    expect(out).not.toContain(CANARY);
    expect(out.match(/\[redacted\]/g)).toHaveLength(8);
    expect(out).toContain('"at":"first"');
  });

  it("never writes a listed field in another spelling", () => {
    const out = lines((log) => {
      log.info(
        { AMOUNT: CANARY, private_key: CANARY, viewing_key: CANARY, "Set-Cookie": CANARY, new_limit: CANARY },
        "x",
      );
    });
    expect(out).not.toContain(CANARY);
  });

  it("never writes a bigint or bytes, whatever their field is called: amounts and keys have these types", () => {
    const units = 7_391_042_187n;
    const bytes = new TextEncoder().encode(CANARY);
    const out = lines((log) => {
      log.info({ sum: units, list: [units], deep: { sum: units } }, "numbers");
      log.info({ data: bytes, buffer: Buffer.from(bytes), view: bytes.buffer }, "bytes");
    });
    expect(out).not.toContain(units.toString());
    expect(out).not.toContain(CANARY);
    expect(out).not.toContain(bytes.subarray(0, 6).join(","));
  });

  it("never writes an API key, an authorization code, a home key or a viewing key, whatever text it stands in", () => {
    const keys = ["hc_test_", "hc_live_", "hcc_test_", "hch_test_", "hch_live_", "hcvk_test_", "hcvk_live_"].map(
      (prefix) => prefix + "a1B2".repeat(12),
    );
    const out = lines((log) => {
      for (const key of keys) log.info({ path: `/v1/x?key=${key}`, list: [key], deep: { at: key } }, `used ${key}.`);
    });
    expect(out).not.toContain("a1B2");
    expect(out.match(/\[redacted\]/g)).toHaveLength(28);
    expect(out).toContain("/v1/x?key=");
  });

  it("survives what refers to itself", () => {
    const ring: Record<string, unknown> = { name: "ring" };
    ring.self = { ring };
    expect(lines((log) => log.info(ring, "x"))).toContain("[circular]");
  });

  it("gives lines written while a request is served its id", async () => {
    const out = lines((log) => {
      withRequest({ requestId: "req_01" }, () => log.info({ a: 1 }, "inside"));
      log.info("outside");
    });
    const [inside, outside] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(inside).toMatchObject({ request_id: "req_01", a: 1, msg: "inside" });
    expect(outside).not.toHaveProperty("request_id");
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

  it("never writes the message of an error below other fields, in a list, or of no Error at all", () => {
    const error = new Error(CANARY, { cause: { amount: CANARY } });
    const out = lines((log) => {
      log.warn({ problem: { inner: error }, list: [error], map: new Map([["a", error]]) }, "failed");
      log.warn({ err: Object.assign(new AggregateError([error], CANARY), { shortMessage: CANARY }) }, "failed");
    });
    const thrown = lines((log) => {
      log.warn({ err: CANARY, error: { message: CANARY }, a: { cause: CANARY } }, "no Error was thrown");
    });
    expect(out + thrown).not.toContain(CANARY);
    expect(out.match(/"type":"Error"/g)).toHaveLength(3);
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
