import { code, prePSize, preQSize } from "wasmcurves/build/bn128_wasm.js";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { FIELD_BYTES } from "./sizes";

const PAGE = 0x10000;
/** An element of Gt: twelve coordinates. */
const GT_BYTES = 12 * FIELD_BYTES;
/** r − 1 = 2^28 · odd, and 5 is the least number that is no square modulo r. */
const TWO_ADICITY = 28;
const NON_RESIDUE = 5n;
/**
 * The code's own static data and scratch space below its first free byte, and the buckets of a multi-exponentiation.
 */
const HEADROOM = 2 * 1024 * 1024;

type WasmFunction = (...pointers: number[]) => number;

/**
 * BN254 in WebAssembly (the code that wasmcurves generated and ships), with a memory of its own: proving keys are laid
 * into it once and every operation works in place, so nothing is copied or passed between threads. Field elements are
 * 32 bytes little endian, in Montgomery form where a function's name does not say otherwise.
 */
export class Bn254 {
  readonly preparedG1Bytes = prePSize;
  readonly preparedG2Bytes = preQSize;
  readonly gtBytes = GT_BYTES;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly functions: WebAssembly.Exports,
  ) {}

  static async build(): Promise<Bn254> {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(HEADROOM / PAGE) + 25 });
    const bytes = Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } });
    return new Bn254(memory, instance.exports);
  }

  /** Calls a function of the code by its name. */
  call(name: string, ...parameters: number[]): number {
    return (this.functions[name] as WasmFunction)(...parameters);
  }

  /** A function of the code, for loops that call it often. */
  fn(name: string): WasmFunction {
    return this.functions[name] as WasmFunction;
  }

  /** Room for `length` bytes. It is given back only by `release`. */
  alloc(length: number): number {
    const free = new Uint32Array(this.memory.buffer, 0, 1);
    const pointer = ((free[0] ?? 0) + 7) & ~7;
    const end = pointer + length;
    const missing = end + HEADROOM - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    new Uint32Array(this.memory.buffer, 0, 1)[0] = end;
    return pointer;
  }

  /** What `release` needs to give back everything allocated from here on. */
  mark(): number {
    return new Uint32Array(this.memory.buffer, 0, 1)[0] ?? 0;
  }

  release(mark: number): void {
    new Uint32Array(this.memory.buffer, 0, 1)[0] = mark;
  }

  /** The memory as bytes; stale after the next `alloc`. */
  bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer);
  }

  /** Copies bytes into fresh room. */
  put(data: Uint8Array): number {
    const pointer = this.alloc(data.length);
    this.bytes().set(data, pointer);
    return pointer;
  }

  /** A copy of `length` bytes at `pointer`. */
  read(pointer: number, length: number): Uint8Array {
    return this.bytes().slice(pointer, pointer + length);
  }

  /**
   * A root of unity of order 2^power of the scalar field, in Montgomery form: the one that proving keys are created
   * with.
   */
  rootOfUnity(power: number): Uint8Array {
    if (power > TWO_ADICITY) throw new RangeError("the field has no root of unity of this order");
    const mark = this.mark();
    const root = this.put(scalarBytes(powerOf(NON_RESIDUE, (FIELD_ORDER - 1n) >> BigInt(power))));
    this.call("frm_toMontgomery", root, root);
    const bytes = this.read(root, FIELD_BYTES);
    this.release(mark);
    return bytes;
  }
}

/** base^exponent in the scalar field. */
function powerOf(base: bigint, exponent: bigint): bigint {
  let power = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * square) % FIELD_ORDER;
    square = (square * square) % FIELD_ORDER;
  }
  return power;
}

/** A scalar below r as 32 little-endian bytes. */
export function scalarBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(FIELD_BYTES);
  let rest = value;
  for (let i = 0; i < FIELD_BYTES; i++) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** The integer of 32 little-endian bytes. */
export function bytesScalar(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0);
  return value;
}
