import { buildBn128 } from "ffjavascript";

/** Bytes of a scalar or base field element. */
export const FIELD_BYTES = 32;
/** Bytes of an affine point: x, y. */
export const G1_BYTES = 64;
export const G2_BYTES = 128;
/** Bytes of a point in Jacobian coordinates. */
export const G1_JACOBIAN_BYTES = 96;
export const G2_JACOBIAN_BYTES = 192;

const PAGE = 0x10000;
/** The code's own static data and scratch space below its first free byte, and the buckets of a multi-exponentiation. */
const HEADROOM = 2 * 1024 * 1024;

type WasmFunction = (...pointers: number[]) => number;

/**
 * BN254 in WebAssembly (the code that ffjavascript generates), with a memory of its own: proving keys are laid into
 * it once and every operation works in place, so nothing is copied or passed between threads. Field elements are
 * 32 bytes little endian, in Montgomery form where a function's name does not say otherwise.
 */
export class Bn254 {
  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly functions: WebAssembly.Exports,
    private readonly rootsOfUnity: readonly Uint8Array[],
    readonly preparedG1Bytes: number,
    readonly preparedG2Bytes: number,
    readonly gtBytes: number,
  ) {}

  static async build(): Promise<Bn254> {
    const curve = await buildBn128(true);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(HEADROOM / PAGE) + 25 });
    const code = new Uint8Array(curve.tm.code);
    const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
    return new Bn254(memory, instance.exports, curve.Fr.w, curve.prePSize, curve.preQSize, curve.Gt.n8);
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

  /** A root of unity of order 2^power of the scalar field, in Montgomery form. */
  rootOfUnity(power: number): Uint8Array {
    const root = this.rootsOfUnity[power];
    if (!root) throw new RangeError("the field has no root of unity of this order");
    return root;
  }
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
