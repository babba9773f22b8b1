import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { childrenOf, processState } from "../stack/processes";
import { freeze } from "./freeze";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** A shell that waits for a process of its own. */
async function shell(): Promise<{ parent: number; child: number }> {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"] });
  started.push(parent);
  const [line] = (await once(parent.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { parent: parent.pid ?? 0, child: Number(String(line)) };
}

it("a frozen process and those it started stand still, and go on afterwards", async () => {
  const { parent, child } = await shell();
  try {
    expect(childrenOf(parent)).toEqual([child]);
    const states = () => [parent, child].map((pid) => processState(pid)?.state);
    const thawed = freeze(parent, 0.2, { children: true });
    await expect.poll(states, { interval: 5 }).toEqual(["T", "T"]);
    await thawed;
    await expect.poll(states, { interval: 5 }).toEqual(["S", "S"]);
    const alone = freeze(parent, 0.2, { children: false });
    await expect.poll(states, { interval: 5 }).toEqual(["T", "S"]);
    await alone;
  } finally {
    process.kill(child, "SIGKILL");
  }
});

it("one of them that has just ended is none, though the frozen one has not read its status", async () => {
  const { parent, child } = await shell();
  process.kill(parent, "SIGSTOP");
  process.kill(child, "SIGKILL");
  await expect.poll(() => processState(child)?.state, { interval: 5 }).toBe("Z");
  await freeze(parent, 0.05, { children: true });
});

it("one that goes on meanwhile, or is not there, is an error", async () => {
  const { parent, child } = await shell();
  try {
    const frozen = freeze(parent, 0.2, { children: false });
    await expect.poll(() => processState(parent)?.state, { interval: 5 }).toBe("T");
    process.kill(parent, "SIGCONT");
    await expect(frozen).rejects.toThrow("did not stay frozen");
  } finally {
    process.kill(child, "SIGKILL");
  }
  await expect(freeze(2 ** 30, 0, { children: false })).rejects.toThrow("ESRCH");
});
