import { AffineCode, SLOTS_AT } from "./affine-code";
import { Module } from "./assembler";
import { FieldCode } from "./field-code";
import { LIMBS, limbsOf, numberOf, PAIR_BYTES, R_BITS } from "./limbs";
import { addTerms, butterflies, joinProducts, multiplyLanes, PLAIN_ONE_AT, STATIC_END } from "./ntt-code";
import { BASE_ORDER, SCALAR_ORDER } from "./orders";
import { ProverUnsupported } from "./prover-unsupported";

const PAGE = 0x10000;

/** The kernel's module, compiled at first use in about 10 ms. */
let compiled: Promise<WebAssembly.Module> | undefined;

function emit(): Uint8Array<ArrayBuffer> {
  const module = new Module();
  const base = new FieldCode(BASE_ORDER, module, "");
  const g1 = { mul: base.multiply(), mulAdd: base.multiplyAdd(), squareAdd: base.squareAdd() };
  const g2 = {
    mul: base.extensionMultiply(),
    mulAdd: base.extensionMultiplyAdd(),
    squareAdd: base.extensionSquareAdd(),
  };
  base.addition("add");
  base.addition("sub");
  for (const code of [new AffineCode(module, "1", g1), new AffineCode(module, "2", g2)]) {
    for (const kind of ["add", "double"] as const) {
      code.forward(kind);
      code.backward(kind);
    }
  }
  const scalars = new FieldCode(SCALAR_ORDER, module, "R");
  const mul = scalars.multiply();
  butterflies(module, mul);
  joinProducts(module, mul);
  multiplyLanes(module, mul);
  addTerms(module, scalars.multiplyAdd());
  return module.binary();
}

type Pointers = number[];
/** A function of the module. Pointers are to pairs of elements (limbs.ts) unless their names say otherwise. */
export type KernelFunction = (...pointers: Pointers) => void;
const FUNCTIONS = [
  ...["mul", "mulAdd", "squareAdd", "extMul", "extMulAdd", "extSquareAdd", "add", "sub", "mulR", "mulAddR"],
  ...["addForward1", "addBackward1", "doubleForward1", "doubleBackward1"],
  ...["addForward2", "addBackward2", "doubleForward2", "doubleBackward2"],
  ...["butterflies", "joinProducts", "multiplyLanes", "addTerms"],
] as const;

/**
 * The prover's field kernel: generated WebAssembly with its own memory, for one thread. Proving keys are loaded into
 * that memory once, and every operation works in place. Like the rest of the prover, it is not constant-time.
 */
export class Kernel {
  private free = STATIC_END;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    readonly functions: Record<(typeof FUNCTIONS)[number], KernelFunction>,
  ) {
    this.putPair(PLAIN_ONE_AT, 1n, 1n);
  }

  /**
   * Compiles and starts a kernel.
   *
   * @throws ProverUnsupported if WebAssembly lacks SIMD
   */
  static async build(): Promise<Kernel> {
    const memory = new WebAssembly.Memory({ initial: 16 });
    compiled ??= WebAssembly.compile(emit());
    try {
      const { exports } = await WebAssembly.instantiate(await compiled, { env: { memory } });
      return new Kernel(memory, exports as never);
    } catch {
      compiled = undefined;
      throw new ProverUnsupported();
    }
  }

  /** Allocates `length` bytes. Only `release` frees them. */
  alloc(length: number): number {
    const pointer = (this.free + 7) & ~7;
    const end = pointer + length;
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.free = end;
    return pointer;
  }

  /** Allocates space for a number of pairs. */
  allocPairs(count: number): number {
    return this.alloc(count * PAIR_BYTES);
  }

  /** Returns a mark. `release` with it frees everything allocated after it. */
  mark(): number {
    return this.free;
  }

  /** Overwrites the memory allocated since the mark with zeros, and frees it. */
  release(mark: number): void {
    this.bytes().fill(0, mark, this.free);
    this.free = mark;
  }

  /** Overwrites the scratch memory of the functions, which keeps values of their last computation. */
  clearScratch(): void {
    this.bytes().fill(0, SLOTS_AT, PLAIN_ONE_AT);
  }

  /** Returns the memory. The view is stale after the next `alloc`. */
  bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer);
  }

  words(): Int32Array {
    return new Int32Array(this.memory.buffer);
  }

  /** Writes two numbers of less than 261 bits into the two lanes. */
  putPair(pointer: number, first: bigint, second: bigint): void {
    const words = new Int32Array(this.memory.buffer, pointer, 2 * LIMBS);
    const [x, y] = [limbsOf(first), limbsOf(second)];
    for (let i = 0; i < LIMBS; i++) {
      words[2 * i] = x[i] as number;
      words[2 * i + 1] = y[i] as number;
    }
  }

  /** Allocates a pair and writes two numbers into it. */
  pair(first: bigint, second: bigint): number {
    const pointer = this.allocPairs(1);
    this.putPair(pointer, first, second);
    return pointer;
  }

  /** Returns the two numbers of a pair as stored, not reduced. */
  readPair(pointer: number): [bigint, bigint] {
    const words = new Int32Array(this.memory.buffer, pointer, 2 * LIMBS);
    const lane = (first: number) => numberOf(Array.from({ length: LIMBS }, (_, i) => words[2 * i + first] as number));
    return [lane(0), lane(1)];
  }

  /** Returns the two base field elements of a pair, converted from Montgomery form. */
  readElements(pointer: number): [bigint, bigint] {
    const mark = this.mark();
    const plain = this.allocPairs(1);
    this.functions.mul(pointer, PLAIN_ONE_AT, plain);
    const [first, second] = this.readPair(plain);
    this.release(mark);
    return [first % BASE_ORDER, second % BASE_ORDER];
  }

  copyPair(from: number, to: number): void {
    this.bytes().copyWithin(to, from, from + PAIR_BYTES);
  }
}

/** Converts an element of the base field to Montgomery form. */
export const montgomery = (value: bigint): bigint => (value << BigInt(R_BITS)) % BASE_ORDER;
