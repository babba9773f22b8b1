import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { WebSocket } from "undici";
import type { Driver } from "./driver";

interface Message {
  id?: number;
  type: "success" | "error" | "event";
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
}

/** Starts Firefox and controls it by WebDriver BiDi (W3C), which needs no separate driver. */
export async function startFirefox(): Promise<Driver> {
  const profile = mkdtempSync(path.join(tmpdir(), "halcyon-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
  const child = spawn("firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (status) => reject(new Error(`firefox-esr ended with ${status}`)));
  });
  ended.catch(() => {});
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
  });
  const socket = new WebSocket(`${await Promise.race([listening, ended])}/session`);
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let id = 0;
  const call = async (method: string, params: object): Promise<Record<string, unknown>> => {
    id += 1;
    const own = id;
    const replied = new Promise<Message>((resolve) => waiting.set(own, resolve));
    socket.send(JSON.stringify({ id: own, method, params }));
    const { type, result = {}, error, message } = await Promise.race([replied, ended]);
    waiting.delete(own);
    if (type === "error") throw new Error(`${method}: ${error}: ${message}`);
    return result;
  };
  const { capabilities } = (await call("session.new", { capabilities: {} })) as {
    capabilities: { browserName: string; browserVersion: string };
  };
  const { contexts } = (await call("browsingContext.getTree", {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context;
  return {
    name: `${capabilities.browserName} ${capabilities.browserVersion}`,
    open: async (url) => {
      await call("browsingContext.navigate", { context, url, wait: "complete" });
    },
    run: async (body) => {
      const params = { target: { context }, awaitPromise: true, functionDeclaration: `function () { ${body} }` };
      const { type, result } = (await call("script.callFunction", params)) as {
        type: string;
        result?: { value?: unknown };
      };
      if (type === "exception") throw new Error("the page threw");
      return typeof result?.value === "string" ? result.value : "";
    },
    close: async () => {
      socket.close();
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
