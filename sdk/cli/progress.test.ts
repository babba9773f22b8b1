import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CommandProgress, telling, terminalProgress } from "./progress";

describe("progress on a terminal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("says what is waited for and since when, and takes its line away at the end", () => {
    let screen = "";
    const progress = terminalProgress((text) => {
      screen += text;
    });
    progress.say("waiting for the chain");
    vi.advanceTimersByTime(2_450);
    expect(screen).toMatch(/waiting for the chain \(2 s\)$/);
    progress.say("asking localhost");
    vi.advanceTimersByTime(100);
    expect(screen).toMatch(/asking localhost$/);
    progress.done();
    expect(screen.endsWith("\r\u001b[2K")).toBe(true);
    const ended = screen;
    vi.advanceTimersByTime(1_000);
    expect(screen).toBe(ended);
  });

  it("shows nothing for what is quick, but a proof at once: it keeps the thread busy", () => {
    let screen = "";
    const progress = terminalProgress((text) => {
      screen += text;
    });
    progress.say("asking localhost");
    vi.advanceTimersByTime(250);
    expect(screen).toBe("");
    progress.say("making a proof", true);
    expect(screen).toContain("making a proof");
    progress.done();
  });
});

it("a request asked again is the chain being waited for", async () => {
  const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said: string[] = [];
  const progress: CommandProgress = { say: (what) => void said.push(what), done: () => {} };
  try {
    const { fetch } = telling(progress);
    await fetch(`http://${host}/v1/transfers`, { method: "POST" });
    await fetch(`http://${host}/v1/transfers/tr_1`);
    await fetch(`http://${host}/v1/transfers/tr_1`);
  } finally {
    server.close();
  }
  expect(said).toEqual([
    `asking ${host}`,
    "reading the chain",
    `asking ${host}`,
    "reading the chain",
    "waiting for the chain",
  ]);
});
