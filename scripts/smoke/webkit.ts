import { spawn } from "node:child_process";
import { freePort } from "@/test/services/free-port";
import type { Driver } from "./driver";

/** A virtual display, because WebKitGTK's browser has no headless mode. */
const DISPLAY = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1440x900x24"] as const;
const START_MS = 30_000;

/** Starts WebKitGTK and controls it by its own WebDriver (W3C). */
export async function startWebKit(): Promise<Driver> {
  const port = await freePort();
  const [command, ...args] = [...DISPLAY, "WebKitWebDriver", `--port=${port}`];
  // Its own process group, so that the display and the browser end with it.
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  failed.catch(() => {});
  const url = `http://127.0.0.1:${port}`;
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (!response.ok) throw new Error(`${path}: ${value?.error}: ${value?.message}`);
    return value;
  };
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  };
  try {
    const deadline = Date.now() + START_MS;
    const ready = () => call("GET", "/status").catch(() => null);
    while ((await Promise.race([ready(), failed])) === null) {
      if (Date.now() > deadline) throw new Error("WebKitWebDriver does not start");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const asked = { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { args: ["--automation"] } } } };
    const { sessionId, capabilities } = (await call("POST", "/session", asked)) as {
      sessionId: string;
      capabilities: { browserName: string; browserVersion: string };
    };
    const session = `/session/${sessionId}`;
    return {
      name: `WebKitGTK ${capabilities.browserVersion} (${capabilities.browserName})`,
      open: async (target) => {
        await call("POST", `${session}/url`, { url: target });
      },
      run: async (body) => {
        const value = await call("POST", `${session}/execute/sync`, { script: body, args: [] });
        return typeof value === "string" ? value : "";
      },
      close: async () => {
        await call("DELETE", session).catch(() => {});
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}
