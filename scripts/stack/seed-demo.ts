import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./config";

interface SeedModule {
  seed: (say: (line: string) => void) => Promise<void>;
}

/** Makes what a fresh installation has to have, the payable account `@demo`; does nothing when it is there. */
export async function seedDemo(env: Record<string, string>, say: (line: string) => void): Promise<void> {
  const file = path.join(ROOT, "db", "seed.ts");
  if (!existsSync(file)) return;
  Object.assign(process.env, env);
  const { seed } = (await import(pathToFileURL(file).href)) as SeedModule;
  await seed(say);
}
