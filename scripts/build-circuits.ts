/**
 * Builds the circuits and their keys, or checks the committed ones.
 *
 *   npm run circuits                      rebuild whatever the changed sources affect
 *   npm run circuits -- --new-ceremony    also create new powers of tau and new proving keys for all circuits
 *   npm run circuits -- --adopt FOLDER    take the keys of a multi-party ceremony (docs/ceremony.md)
 *   npm run circuits -- --check           list every mismatch of sources, keys, verifiers and manifest; exit with 1 if any
 *   npm run circuits -- --check --quick   the same in a third of the time: random combinations of a key's points
 */
import { parseArgs } from "node:util";
import { adoptKeys } from "../circuits/build/adopt.ts";
import { buildCircuits } from "../circuits/build/build.ts";
import { checkCircuits } from "../circuits/build/check.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    "new-ceremony": { type: "boolean", default: false },
    adopt: { type: "string" },
  },
});

async function main(): Promise<number> {
  const started = Date.now();
  if (values.adopt !== undefined) {
    await adoptKeys(values.adopt, console.log);
    return 0;
  }
  if (!values.check) {
    await buildCircuits(values["new-ceremony"], console.log);
    return 0;
  }
  const faults = await checkCircuits(values.quick, console.log);
  for (const fault of faults) console.error(`MISMATCH ${fault}`);
  console.log(`${faults.length === 0 ? "circuits ok" : `${faults.length} mismatches`} (${Date.now() - started} ms)`);
  return faults.length === 0 ? 0 : 1;
}

// snarkjs keeps its worker threads alive, so exit explicitly.
main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
