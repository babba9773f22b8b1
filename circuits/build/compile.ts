import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CircuitName } from "./circuits.ts";
import { ROOT } from "./paths.ts";

export interface Compiled {
  r1cs: string;
  wasm: string;
  sym: string;
}

const COMPILER = createRequire(import.meta.url).resolve("circom2/cli.js");

/**
 * Compiles one circuit with circom. The same sources and the same compiler give the same bytes.
 *
 * @param outputDir folder for the results; made when missing
 * @param optimisation `O2` for everything that is proved with; `O0` keeps each statement as written, for inspection
 * @throws with the compiler's messages when the sources are refused
 */
export async function compile(
  name: CircuitName,
  outputDir: string,
  optimisation: "O0" | "O2" = "O2",
): Promise<Compiled> {
  await mkdir(outputDir, { recursive: true });
  const options = ["--r1cs", "--wasm", "--sym", `--${optimisation}`];
  const source = `circuits/main/${name}.circom`;
  // The compiler runs in WebAssembly and reads only below its working directory.
  const args = [COMPILER, source, ...options, "-l", "node_modules/circomlib/circuits", "-o", outputDir];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((error) => {
    throw new Error(`circom refused ${source}:\n${error.stderr}${error.stdout}`);
  });
  return {
    r1cs: join(outputDir, `${name}.r1cs`),
    wasm: join(outputDir, `${name}_js`, `${name}.wasm`),
    sym: join(outputDir, `${name}.sym`),
  };
}
