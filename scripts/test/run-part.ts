import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../stack/config";
import { removeFolder } from "../stack/files";
import type { PartResult } from "./part";
import type { PartName } from "./parts";

const running = new Set<ChildProcess>();
process.once("SIGTERM", () => {
  for (const child of running) child.kill("SIGTERM");
  process.exit(143);
});

/** Runs a part in a process of its own, which prints. Returns its result; null if it was killed before it had one. */
export async function runPart(name: PartName): Promise<PartResult | null> {
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-part-"));
  const file = path.join(folder, "result.json");
  try {
    const args = ["scripts/run.mjs", "scripts/test/part.ts", name, file];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    running.add(child);
    const [status] = await once(child, "close");
    running.delete(child);
    return status === 0 ? (JSON.parse(readFileSync(file, "utf8")) as PartResult) : null;
  } finally {
    removeFolder(folder);
  }
}
