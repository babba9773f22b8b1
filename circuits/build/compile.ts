import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CircuitName } from "./circuits.ts";
import { ROOT } from "./paths.ts";

export interface Compiled {
  r1cs: string;
  sym: string;
  wasm: string;
}

const COMPILER = createRequire(import.meta.url).resolve("circom2/cli.js");

/**
 * Compiles one circuit with circom as it is proved with. The same sources and compiler give the same bytes.
 *
 * @param outputDir folder for the results; made when missing
 * @throws with the compiler's messages when the sources are refused
 */
export async function compile(name: CircuitName, outputDir: string): Promise<Compiled> {
  await circom(name, outputDir, ["--r1cs", "--sym", "--wasm", "--O2"]);
  return { ...constraintsIn(outputDir, name), wasm: join(outputDir, `${name}_js`, `${name}.wasm`) };
}

/**
 * Compiles one circuit to its constraints and signal names, for inspection.
 *
 * @param optimisation `O2` as proved with; `O0` keeps every statement and signal as written
 */
export async function compileConstraints(name: CircuitName, outputDir: string, optimisation: "O0" | "O2") {
  await circom(name, outputDir, ["--r1cs", "--sym", `--${optimisation}`]);
  return constraintsIn(outputDir, name);
}

/** Where the compiler leaves the constraints and signal names of a circuit. */
export function constraintsIn(outputDir: string, name: CircuitName) {
  return { r1cs: join(outputDir, `${name}.r1cs`), sym: join(outputDir, `${name}.sym`) };
}

async function circom(name: CircuitName, outputDir: string, options: string[]) {
  await mkdir(outputDir, { recursive: true });
  const source = `circuits/main/${name}.circom`;
  // The compiler runs in WebAssembly and reads only below its working directory.
  const args = [COMPILER, source, ...options, "-l", "node_modules/circomlib/circuits", "-o", outputDir];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((error) => {
    throw new Error(`circom refused ${source}:\n${error.stderr}${error.stdout}`);
  });
}
