import { spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { halcyon } from "@/test/sdk/command-line";
import { EXIT } from "./exit-status";
import { span } from "./global-options";

const EVENT = {
  event: "transfer.confirmed",
  event_id: "evt_01M7YDBDVASKS9FTF0N3YZ25AW",
  account: "@alice",
  transfer_id: "tr_1",
  timestamp: "2026-11-21T08:00:00Z",
};

/** Returns the response to a request, or undefined to leave it waiting. */
let respond: (path: string, response: ServerResponse) => object | undefined;
/** Called when the server has received a request. */
let arrived: () => void;
const server = createServer((request, response) => {
  request.resume().once("end", () => {
    const body = respond(request.url ?? "", response);
    if (body) response.end(JSON.stringify(body));
    arrived();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("HALCYON_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("HALCYON_API_KEY", `hc_test_${"0".repeat(49)}`);
  vi.stubEnv("HALCYON_CONFIG_DIR", "/nowhere");
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  respond = () => undefined;
  arrived = () => {};
});

/** Runs the real program and presses Ctrl-C when the condition is met. */
async function interruptedWhen(condition: Promise<void>, ...args: string[]) {
  const child = spawn("./halcyon", args, { stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await condition;
  child.kill("SIGINT");
  return { status: await ended, ...said };
}
const requested = () =>
  new Promise<void>((resolve) => {
    arrived = resolve;
  });

describe("Ctrl-C", () => {
  it("ends a command that waits for a response", async () => {
    const { status, out, err } = await interruptedWhen(requested(), "events");
    expect({ status, out }).toEqual({ status: EXIT.interrupted, out: "" });
    expect(err).toMatch(/^error: aborted: You stopped the command\./);
  });

  it("in the middle of a payment leaves its key: the same payment can be continued, and is not lost", async () => {
    const line = ["send", "--to", "@bob", "--amount", "1", "--idempotency-key", "order-7", "--json"];
    const { status, out, err } = await interruptedWhen(requested(), ...line);
    expect({ status, out }).toEqual({ status: EXIT.outcomeUnknown, out: "" });
    expect(JSON.parse(err).error).toMatchObject({ outcome: "unknown", idempotency_key: "order-7" });
  });

  it("ends listen, which shows events as they happen and needs no address to forward to", async () => {
    let polls = 0;
    const shown = new Promise<void>((resolve) => {
      respond = (path) => {
        if (!path.includes("after=")) return { events: [], limit: 1, offset: 0, has_more: false };
        polls++;
        // When the client requests the next page, it has printed the event.
        if (polls === 2) resolve();
        return { events: polls === 1 ? [EVENT] : [], limit: 100, offset: 0, has_more: false };
      };
    });
    const { status, out, err } = await interruptedWhen(shown, "listen", "--json");
    expect({ status, err }).toEqual({ status: EXIT.done, err: "" });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ kind: "ready" }, { kind: "event", event: EVENT }]);
  });
});

describe("--wait-timeout", () => {
  it("ends the wait for a payment that does not become final, which then may still happen", async () => {
    respond = () => ({ transfer_id: "tr_1", status: "pending", to: "@bob", tx_hash: null });
    const line = ["send", "--to", "@bob", "--amount", "1", "--wait-timeout", "1ms", "--json"];
    const { status, out, err } = await halcyon(...line);
    expect({ status, out }).toEqual({ status: EXIT.outcomeUnknown, out: "" });
    expect(JSON.parse(err).error).toMatchObject({ outcome: "unknown", transfer_id: "tr_1" });
  });
});

describe("--timeout", () => {
  it("ends a request that gets no response", async () => {
    const { status, err } = await halcyon("events", "--timeout", "50ms");
    expect(status).toBe(EXIT.unavailable);
    expect(err).toContain("--timeout");
  });

  it("is seconds, or has a unit", () => {
    expect(["30", "30s", "1.5", "500ms", "2m"].map(span)).toEqual([30_000, 30_000, 1_500, 500, 120_000]);
    for (const text of ["", "0", "-1", "1h", "5 s", "1e3", "9999999m"]) expect(() => span(text), text).toThrow();
  });
});
