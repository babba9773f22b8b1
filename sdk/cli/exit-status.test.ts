import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { halcyon } from "@/test/sdk/command-line";
import { EXIT, EXIT_MEANINGS, EXIT_STATUS } from "./exit-status";
import { statusOfPaid } from "./pay-commands";
import { statusOfRecovered } from "./recover-commands";

/** The service's response, without a body if there is no code. */
let reply: { status: number; code?: ErrorCode } = { status: 200 };
const server = createServer((_, response) => {
  response.writeHead(reply.status, { "retry-after": "0" });
  response.end(reply.code && JSON.stringify({ error: { code: reply.code, message: "No." } }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("HALCYON_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("HALCYON_API_KEY", `hc_test_${"0".repeat(49)}`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

describe("the exit status", () => {
  it.each([
    ["a price that was asked for", { paid: false }, EXIT.done],
    ["what was free", { paid: false, status: 200 }, EXIT.done],
    ["what was paid and served", { paid: true, status: 200 }, EXIT.done],
    ["an offer that can't be paid", { paid: false, status: 402 }, EXIT.refused],
    ["what was paid and not served", { paid: true, status: 500 }, EXIT.unavailable],
    ["what may have been paid", { paid: null, status: 200 }, EXIT.outcomeUnknown],
    ["nothing", { paid: false, status: 404 }, EXIT.notFound],
  ])("of halcyon pay for %s is %o → %d", (_what, paid, status) => expect(statusOfPaid(paid)).toBe(status));

  it("of halcyon recover is that of the first step that failed, whatever else was withdrawn", () => {
    const step = { account: `0x${"a".repeat(40)}`, asset: "USDG", step: "release", reason: "No." } as const;
    expect(statusOfRecovered({ failed: [{ ...step, code: "unavailable" }] })).toBe(EXIT.unavailable);
    const failed = [{ ...step, code: "insufficient_balance" } as const, { ...step, code: "unavailable" } as const];
    expect(statusOfRecovered({ failed })).toBe(EXIT.refused);
    expect(statusOfRecovered({})).toBe(EXIT.done);
  });

  // Excludes unavailable and busy services, for which the client waits half a minute, even on the first request with a
  // key.
  const final = Object.entries(ERROR_STATUS).filter(
    ([code, status]) => status !== 429 && status !== 503 && code !== "idempotency_in_progress",
  );
  it.each(final as [ErrorCode, number][])("of a response %s is that of its kind", async (code, status) => {
    reply = { status, code };
    const ended = await halcyon("policy", "get", "bot", "--json");
    expect([ended.status, JSON.parse(ended.err).error.code]).toEqual([EXIT_STATUS[code], code]);
  });

  it.each([500, 502, 503, 504])("of a bare %d is that of a service that does not respond", async (status) => {
    reply = { status };
    const ended = await halcyon("balances", "--json");
    expect([ended.status, ended.out, JSON.parse(ended.err).error.code]).toEqual([EXIT.unavailable, "", "unavailable"]);
  });

  it("shows scripts why a command failed: each kind has a number, and none of them changes", () => {
    expect(EXIT).toEqual({
      done: 0,
      internal: 1,
      outcomeUnknown: 2,
      usage: 3,
      credentials: 4,
      refused: 5,
      notFound: 6,
      rateLimited: 7,
      unavailable: 8,
      interrupted: 130,
      closedPipe: 141,
    });
    expect(EXIT_STATUS).toMatchObject({
      invalid_request: 3,
      unauthorized: 4,
      policy_violation: 5,
      insufficient_balance: 5,
      handle_taken: 5,
      payment_request_closed: 5,
      idempotency_in_progress: 5,
      recipient_not_found: 6,
      rate_limited: 7,
      unavailable: 8,
      internal: 1,
    });
  });

  it("of a wrong command line is that of usage, whichever part finds it wrong", async () => {
    for (const line of [
      ["sned"],
      ["send", "--to", "@bob"],
      ["keys"],
      ["--network", "x", "events"],
      ["profiles", "add", "x"],
    ]) {
      expect((await halcyon(...line)).status, line.join(" ")).toBe(EXIT.usage);
    }
  });

  it("is listed with its meaning in the help and in the README", async () => {
    const { out } = await halcyon("--help");
    const readme = readFileSync("sdk/cli/README.md", "utf8");
    for (const [status, meaning] of EXIT_MEANINGS) {
      expect(out).toMatch(new RegExp(`^ +${status} +${meaning}$`, "m"));
      expect(readme).toContain(`| ${status} | ${meaning}`);
    }
    expect(EXIT_MEANINGS.map(([status]) => status)).toEqual(Object.values(EXIT));
    for (const [code, status] of Object.entries(EXIT_STATUS)) {
      if (status !== EXIT.refused) continue;
      expect(readme, code).toMatch(new RegExp(`^ *\\| ${status} \\|.*\`${code}\``, "m"));
    }
  });
});

/** Runs a shell line whose standard output or error is already closed when it starts. */
async function unread(stream: "stdout" | "stderr", line: string) {
  const shell = spawn("sh", ["-c", `read go; ${line}`], { stdio: ["pipe", "pipe", "pipe"] });
  let other = "";
  shell[stream === "stdout" ? "stderr" : "stdout"].on("data", (chunk) => {
    other += chunk;
  });
  const ended = new Promise<number | null>((resolve) => shell.once("close", resolve));
  const closed = new Promise((resolve) => shell[stream].once("close", resolve));
  shell[stream].destroy();
  await closed;
  shell.stdin.end("go\n");
  return { status: await ended, other };
}

describe("output that no one reads", () => {
  it("ends a command quietly, with the status of a closed pipe", async () => {
    expect(await unread("stdout", "exec ./halcyon --help")).toEqual({ status: EXIT.closedPipe, other: "" });
  });

  it("does not hide why a command failed", async () => {
    expect(await unread("stderr", "exec ./halcyon sned")).toEqual({ status: EXIT.usage, other: "" });
    expect(await unread("stdout", "exec ./halcyon sned 2>/dev/null")).toMatchObject({ status: EXIT.usage });
  });

  it.runIf(existsSync("/dev/full"))("because the disk is full is an error that says so", async () => {
    const { status, other } = await unread("stdout", "exec ./halcyon --help > /dev/full");
    expect({ status, other }).toEqual({
      status: EXIT.internal,
      other: "error: the output can't be written (ENOSPC).\n",
    });
  });
});
