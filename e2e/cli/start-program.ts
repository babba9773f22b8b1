import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** A running program and its address. */
interface RunningProgram {
  url: string;
  /** Returns everything it has printed. */
  said: () => string;
  close(): Promise<void>;
}

/**
 * Starts a program. Resolves once it prints its address.
 *
 * @param ready matches what it prints then; its group is the address
 */
export async function startProgram(
  args: string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<RunningProgram> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const child: ChildProcess = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk;
      const [, at] = ready.exec(said) ?? [];
      if (at) resolve(at);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (status) => reject(new Error(`${args[0]} ended with ${status}: ${said}`)));
  });
  const close = () => {
    child.kill();
    return ended;
  };
  return { url, said: () => said, close };
}
