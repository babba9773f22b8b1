import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { deriveProgram } from "../derive/derive-program.ts";
import { readConstraints } from "../derive/read-constraints.ts";
import { writeProgram } from "../derive/write-program.ts";
import type { CircuitName } from "./circuits.ts";
import { CIRCUITS_DIR, ROOT } from "./paths.ts";

/** The constraints of a circuit and the names of its signals. */
export interface Constraints {
  r1cs: string;
  sym: string;
}

/** The files that a circuit compiles to. */
export interface Compiled extends Constraints {
  /** The circuit without optimization: every statement and signal as written. */
  written: Constraints;
  /** Our own witness program, derived from the constraints. */
  witness: string;
  /** circom's own, which contains its GPL runtime: tests and measurements compare with it. Never part of the product. */
  wasm: string;
}

/** Has V8 optimize nothing: circom runs for a second, half of which it would take to optimize circom. */
const BASELINE = join(CIRCUITS_DIR, "build", "baseline-only.cjs");
const COMPILER = createRequire(import.meta.url).resolve("circom2/cli.js");

/**
 * Compiles one circuit with circom as it is proved with, and derives its witness program. The same sources and compiler
 * give the same bytes.
 *
 * @param outputDir folder for the results; made when missing
 * @throws with the compiler's messages when the sources are refused
 */
export async function compile(name: CircuitName, outputDir: string): Promise<Compiled> {
  const compiled = compiledIn(outputDir, name);
  await Promise.all([
    circom(name, outputDir, ["--r1cs", "--sym", "--wasm", "--O2"]),
    circom(name, writtenDir(outputDir), ["--r1cs", "--sym", "--O0"]),
  ]);
  const [written, proved] = await Promise.all([readConstraints(compiled.written), readConstraints(compiled)]);
  await writeFile(compiled.witness, writeProgram(deriveProgram(written, proved)));
  return compiled;
}

/** Where `compile` leaves its results. */
export function compiledIn(outputDir: string, name: CircuitName): Compiled {
  return {
    ...constraintsIn(outputDir, name),
    written: constraintsIn(writtenDir(outputDir), name),
    witness: join(outputDir, `${name}.witness`),
    wasm: join(outputDir, `${name}_js`, `${name}.wasm`),
  };
}

function writtenDir(outputDir: string): string {
  return join(outputDir, "written");
}

function constraintsIn(outputDir: string, name: CircuitName): Constraints {
  return { r1cs: join(outputDir, `${name}.r1cs`), sym: join(outputDir, `${name}.sym`) };
}

async function circom(name: CircuitName, outputDir: string, options: string[]) {
  await mkdir(outputDir, { recursive: true });
  const source = `circuits/main/${name}.circom`;
  // The compiler runs in WebAssembly and reads only below its working directory.
  const args = ["--require", BASELINE, COMPILER, source, ...options, "-o", outputDir];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch((error) => {
    throw new Error(`circom refused ${source}:\n${error.stderr}${error.stdout}`);
  });
}
