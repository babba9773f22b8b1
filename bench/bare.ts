import { spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT } from "@/scripts/stack/config";
import { program } from "@/scripts/stack/program";

/** The running process of bench/bare-server.ts. */
export interface BareServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts the bare server on the database of the running stack. */
export async function startBareServer(): Promise<BareServer> {
  const child = spawn(process.execPath, [await program("bench/bare-server.ts")], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const port = await Promise.race([
    once(child.stdout, "data").then(([chunk]: Buffer[]) => Number(chunk)),
    gone.then(() => {
      throw new Error("the bare server did not start; its words are above");
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}
