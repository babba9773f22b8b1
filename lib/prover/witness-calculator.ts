import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import type { CircuitInput } from "@/lib/ledger/prepare/witness";
import { FIELD_BYTES } from "./sizes";

/** The input does not satisfy the circuit, or is not its input. Says nothing about the values. */
export class UnsatisfiedCircuit extends Error {
  override readonly name = "UnsatisfiedCircuit";
  constructor() {
    super("The input does not satisfy the circuit.");
  }
}

/** The exports of a circuit compiled by circom 2 to WebAssembly. */
interface CircomExports {
  init(sanityCheck: number): void;
  getInputSignalSize(hashHigh: number, hashLow: number): number;
  getInputSize(): number;
  setInputSignal(hashHigh: number, hashLow: number, index: number): void;
  writeSharedRWMemory(word: number, value: number): void;
  readSharedRWMemory(word: number): number;
  getWitnessSize(): number;
  getWitness(index: number): void;
}

const WORDS = FIELD_BYTES / 4;

/** FNV-1a, 64 bits: how circom names its input signals. */
function signalHash(name: string): { high: number; low: number } {
  let hash = 0xcbf29ce484222325n;
  for (const character of name) {
    hash = ((hash ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return { high: Number(hash >> 32n) | 0, low: Number(hash & 0xffffffffn) | 0 };
}

/** Computes witnesses of one circuit. The code is compiled once; its messages, which could hold values, are dropped. */
export class WitnessCalculator {
  private circom: CircomExports;

  private constructor(private readonly module: WebAssembly.Module) {
    this.circom = this.instantiate();
  }

  static async build(wasm: Uint8Array): Promise<WitnessCalculator> {
    return new WitnessCalculator(await WebAssembly.compile(new Uint8Array(wasm)));
  }

  private instantiate(): CircomExports {
    const ignore = () => {};
    const instance = new WebAssembly.Instance(this.module, {
      runtime: {
        exceptionHandler: () => {
          throw new UnsatisfiedCircuit();
        },
        printErrorMessage: ignore,
        writeBufferMessage: ignore,
        showSharedRWMemory: ignore,
      },
    });
    return instance.exports as unknown as CircomExports;
  }

  /**
   * The witness: one scalar of 32 little-endian bytes per wire, the constant 1 first, then the public signals.
   * @throws UnsatisfiedCircuit
   */
  calculate(input: CircuitInput): Uint8Array {
    try {
      return this.run(input);
    } catch {
      // A run cut short leaves the instance half set.
      this.circom = this.instantiate();
      throw new UnsatisfiedCircuit();
    }
  }

  private run(input: CircuitInput): Uint8Array {
    const { circom } = this;
    circom.init(0);
    let count = 0;
    for (const [name, value] of Object.entries(input)) {
      const { high, low } = signalHash(name);
      const values = typeof value === "bigint" ? [value] : value;
      if (circom.getInputSignalSize(high, low) !== values.length) throw new UnsatisfiedCircuit();
      values.forEach((element, index) => {
        this.write(element);
        circom.setInputSignal(high, low, index);
      });
      count += values.length;
    }
    if (count !== circom.getInputSize()) throw new UnsatisfiedCircuit();
    const size = circom.getWitnessSize();
    const words = new Uint32Array(size * WORDS);
    for (let wire = 0; wire < size; wire++) {
      circom.getWitness(wire);
      for (let word = 0; word < WORDS; word++) words[wire * WORDS + word] = circom.readSharedRWMemory(word);
    }
    return new Uint8Array(words.buffer);
  }

  private write(element: bigint): void {
    if (element < 0n || element >= FIELD_ORDER) throw new UnsatisfiedCircuit();
    let rest = element;
    for (let word = 0; word < WORDS; word++) {
      this.circom.writeSharedRWMemory(word, Number(rest & 0xffffffffn) | 0);
      rest >>= 32n;
    }
  }
}
