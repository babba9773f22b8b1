import { readFile } from "node:fs/promises";
import type { CircuitName } from "../build/circuits.ts";
import { keptCircuit } from "../build/kept.ts";
import type { Inputs } from "../witness/run-program.ts";

/** The exports of a circuit compiled by circom 2 to WebAssembly. */
interface Exports {
  init(sanityCheck: number): void;
  getInputSignalSize(hashHigh: number, hashLow: number): number;
  getInputSize(): number;
  setInputSignal(hashHigh: number, hashLow: number, index: number): void;
  writeSharedRWMemory(word: number, value: number): void;
  readSharedRWMemory(word: number): number;
  getWitnessSize(): number;
  getWitness(index: number): void;
}

const WORDS = 8;
const ASSERT_FAILED = 4;

const modules = new Map<CircuitName, Promise<WebAssembly.Module>>();

/**
 * The witness that circom's own generator computes: what ours is compared with.
 *
 * @throws `Assert Failed` when a statement does not hold
 */
export async function circomWitness(name: CircuitName, inputs: Inputs): Promise<bigint[]> {
  const module = modules.get(name) ?? compileModule(name);
  modules.set(name, module);
  const circom = instantiate(await module);
  circom.init(0);
  let count = 0;
  for (const [signal, value] of Object.entries(inputs)) {
    const [high, low] = signalHash(signal);
    const values = typeof value === "bigint" ? [value] : value;
    if (circom.getInputSignalSize(high, low) !== values.length) throw new Error(`${signal} has another length`);
    values.forEach((element, index) => {
      for (let word = 0; word < WORDS; word++) {
        circom.writeSharedRWMemory(word, Number((element >> BigInt(32 * word)) & 0xffffffffn) | 0);
      }
      circom.setInputSignal(high, low, index);
    });
    count += values.length;
  }
  if (count !== circom.getInputSize()) throw new Error("an input is missing");
  return Array.from({ length: circom.getWitnessSize() }, (_, wire) => {
    circom.getWitness(wire);
    let value = 0n;
    for (let word = WORDS - 1; word >= 0; word--) {
      value = (value << 32n) | BigInt(circom.readSharedRWMemory(word) >>> 0);
    }
    return value;
  });
}

async function compileModule(name: CircuitName): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile((await keptCircuit(name)).wasm));
}

function instantiate(module: WebAssembly.Module): Exports {
  const ignore = () => {};
  const runtime = {
    exceptionHandler: (code: number) => {
      throw new Error(code === ASSERT_FAILED ? "Assert Failed" : `circom's generator failed with code ${code}`);
    },
    printErrorMessage: ignore,
    writeBufferMessage: ignore,
    showSharedRWMemory: ignore,
  };
  return new WebAssembly.Instance(module, { runtime }).exports as unknown as Exports;
}

/** FNV-1a, 64 bits, in two halves: how circom names its input signals. */
function signalHash(name: string): [high: number, low: number] {
  let hash = 0xcbf29ce484222325n;
  for (const character of name) {
    hash = ((hash ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return [Number(hash >> 32n) | 0, Number(hash & 0xffffffffn) | 0];
}
