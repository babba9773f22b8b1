import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../stack/config";
import { isOurs, recordPid } from "../stack/processes";
import { takeFolder } from "./take-folder";

let parent: string;
let data: string;
let children: ChildProcess[];

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "halcyon-take-"));
  data = path.join(parent, "data");
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  rmSync(parent, { recursive: true, force: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** Starts a process, and waits for its first output. */
async function run(...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("it ended; its words are above")));
  ended.catch(() => {});
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), ended]);
  return child;
}

/** Another run in the same folder. */
function otherRun(): Promise<ChildProcess> {
  const file = path.join(parent, "other.mts");
  const module = JSON.stringify(path.join(ROOT, "scripts/kill/take-folder.ts"));
  writeFileSync(
    file,
    `import { takeFolder } from ${module};
     await takeFolder(${JSON.stringify(data)});
     console.log("taken");
     setInterval(() => {}, 1_000);`,
  );
  return run("scripts/run.mjs", file);
}

it("a second run is refused while the first one runs, and touches nothing of it", async () => {
  const other = await otherRun();
  mkdirSync(data);
  const file = path.join(data, "of-the-first");
  writeFileSync(file, "");
  await expect(takeFolder(data)).rejects.toThrow(`Another run uses ${data} (process ${other.pid})`);
  expect(existsSync(file)).toBe(true);
  // A refused run leaves no trace that would refuse the next.
  await kill(other);
  const release = await takeFolder(data);
  expect(existsSync(data)).toBe(false);
  release();
});

it("a killed run does not stop the next one, nor does another process that has its pid by now", async () => {
  await kill(await otherRun());
  const stranger = await run("-e", "console.log('here'); setInterval(() => {}, 1_000)");
  writeFileSync(path.join(`${data}.runs`, String(stranger.pid)), "node scripts/run.mjs scripts/simulate.ts");
  (await takeFolder(data))();
});

it("what a killed run left running is ended, its supervisor too, and no process of others", async () => {
  const script = "console.log('here'); setInterval(() => {}, 1_000)";
  const supervisor = await run("-e", script, data);
  const web = await run("-e", script, data);
  // Its pid was given to another process since.
  const stranger = await run("-e", script);
  recordPid(data, "supervisor", supervisor.pid ?? 0);
  recordPid(data, "web", web.pid ?? 0);
  recordPid(data, "worker", stranger.pid ?? 0);
  const release = await takeFolder(data);
  const runs = [supervisor, web, stranger].map(({ pid }) => isOurs(pid ?? 0, "console.log"));
  expect(runs).toEqual([false, false, true]);
  release();
});

it("a run that ends while its file is looked at is no obstacle", async () => {
  mkdirSync(`${data}.runs`);
  // It is listed, and is gone when it is read.
  symlinkSync("gone", path.join(`${data}.runs`, "1"));
  const release = await takeFolder(data);
  release();
});
