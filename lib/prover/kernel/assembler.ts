/**
 * A minimal WebAssembly assembler (webassembly.github.io/spec/core/binary). Expressions are nested lists of bytes in
 * stack-machine order. It supports only the instructions that the kernel needs.
 */
export type WasmCode = readonly (number | WasmCode)[];
type ValueType = "i32" | "v128";

const TYPES = { i32: 0x7f, v128: 0x7b } as const;
/** The empty block type. */
const VOID = 0x40;

/** Encodes unsigned LEB128. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return bytes;
}

/** Encodes signed LEB128 of 32 bits. */
function signedLeb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const last = (rest >> 6 === 0 || rest >> 6 === -1) && rest >> 6 === -((rest >> 6) & 1);
    bytes.push((rest & 0x7f) | (last ? 0 : 0x80));
    if (last) return bytes;
  }
}

const simd = (opcode: number, ...operands: WasmCode[]): WasmCode => [operands, 0xfd, leb(opcode)];
const binary = (opcode: number) => (a: WasmCode, b: WasmCode) => simd(opcode, a, b);
const shift = (opcode: number) => (a: WasmCode, bits: number) => simd(opcode, a, i32.const(bits));
const integer =
  (opcode: number) =>
  (a: WasmCode, b: WasmCode): WasmCode => [a, b, opcode];

export const i32 = {
  const: (value: number): WasmCode => [0x41, signedLeb(value)],
  add: integer(0x6a),
  sub: integer(0x6b),
  mul: integer(0x6c),
  and: integer(0x71),
  shl: integer(0x74),
  lessThan: integer(0x49),
  load: (pointer: WasmCode, offset = 0): WasmCode => [pointer, 0x28, 2, leb(offset)],
  store: (pointer: WasmCode, value: WasmCode, offset = 0): WasmCode => [pointer, value, 0x36, 2, leb(offset)],
};

/** Instructions on 128-bit vectors, named as in the specification; `32` and `64` are the lane widths. */
export const v128 = {
  const: (lanes: readonly bigint[]): WasmCode => [0xfd, 0x0c, constantBytes(lanes)],
  load: (pointer: WasmCode, offset = 0): WasmCode => [pointer, 0xfd, 0x00, 3, leb(offset)],
  /** Loads 64 bits into the low half and zeros the high half. */
  load64: (pointer: WasmCode, offset = 0): WasmCode => [pointer, 0xfd, 0x5d, 3, leb(offset)],
  /** Loads 64 bits into both halves. */
  load64Twice: (pointer: WasmCode, offset = 0): WasmCode => [pointer, 0xfd, 0x0a, 3, leb(offset)],
  /** Loads 64 bits into the high half of a vector. */
  load64High: (pointer: WasmCode, vector: WasmCode, offset = 0): WasmCode => [
    pointer,
    vector,
    0xfd,
    0x57,
    3,
    leb(offset),
    1,
  ],
  store64Low: (pointer: WasmCode, vector: WasmCode, offset = 0): WasmCode => [
    pointer,
    vector,
    0xfd,
    0x5b,
    3,
    leb(offset),
    0,
  ],
  store64High: (pointer: WasmCode, vector: WasmCode, offset = 0): WasmCode => [
    pointer,
    vector,
    0xfd,
    0x5b,
    3,
    leb(offset),
    1,
  ],
  splat32: (value: WasmCode): WasmCode => simd(0x11, value),
  and: binary(0x4e),
  xor: binary(0x51),
  add32: binary(0xae),
  sub32: binary(0xb1),
  mul32: binary(0xb5),
  shl32: shift(0xab),
  shiftSigned32: shift(0xac),
  add64: binary(0xce),
  sub64: binary(0xd1),
  shiftUnsigned64: shift(0xcd),
  /** Multiplies the two low 32-bit lanes of each operand as signed numbers, giving 64 bits each. */
  multiplyLow: binary(0xdc),
  multiplyHigh: binary(0xdd),
  extendLow: (a: WasmCode): WasmCode => simd(0xc7, a),
  /** Picks 32-bit lanes by number: 0 to 3 from a, 4 to 7 from b. */
  shuffle32: (a: WasmCode, b: WasmCode, lanes: readonly [number, number, number, number]): WasmCode => [
    ...[a, b, 0xfd, 0x0d],
    lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
  ],
};

/** Encodes two lanes of 64 bits or four of 32. */
function constantBytes(lanes: readonly bigint[]): number[] {
  const size = 16 / lanes.length;
  return lanes.flatMap((lane) => {
    const value = BigInt.asUintN(8 * size, lane);
    return Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
  });
}

/** Repeats the body while the condition after it holds. */
export const repeatWhile = (body: WasmCode, condition: WasmCode): WasmCode => [
  0x03,
  VOID,
  body,
  condition,
  0x0d,
  0,
  0x0b,
];

/** A local variable or parameter. */
export interface Local {
  get: WasmCode;
  set(value: WasmCode): WasmCode;
  tee(value: WasmCode): WasmCode;
}

/** A function of a module. Its parameters are 32-bit integers, and it returns nothing. */
export class Func {
  private readonly locals: ValueType[] = [];
  private readonly body: WasmCode[] = [];
  readonly parameters: readonly Local[];

  constructor(
    readonly name: string,
    readonly index: number,
    readonly parameterCount: number,
  ) {
    this.parameters = Array.from({ length: parameterCount }, (_, i) => localAt(i));
  }

  local(type: ValueType): Local {
    this.locals.push(type);
    return localAt(this.parameterCount + this.locals.length - 1);
  }

  emit(...code: WasmCode[]): void {
    this.body.push(...code);
  }

  /** Stores a value in a new local, and returns the local. */
  hold(type: ValueType, value: WasmCode): Local {
    const local = this.local(type);
    this.emit(local.set(value));
    return local;
  }

  call(...parameters: WasmCode[]): WasmCode {
    return [parameters, 0x10, leb(this.index)];
  }

  binary(): number[] {
    const locals = this.locals.flatMap((type) => [1, TYPES[type]]);
    const bytes = [...leb(this.locals.length), ...locals, ...flatten(this.body), 0x0b];
    return [...leb(bytes.length), ...bytes];
  }
}

function localAt(index: number): Local {
  return {
    get: [0x20, leb(index)],
    set: (value) => [value, 0x21, leb(index)],
    tee: (value) => [value, 0x22, leb(index)],
  };
}

function flatten(code: WasmCode, into: number[] = []): number[] {
  for (const part of code) {
    if (typeof part === "number") into.push(part);
    else flatten(part, into);
  }
  return into;
}

/** A module that imports its memory as `env.memory` and exports all its functions. */
export class Module {
  private readonly functions: Func[] = [];

  func(name: string, parameterCount: number): Func {
    const built = new Func(name, this.functions.length, parameterCount);
    this.functions.push(built);
    return built;
  }

  binary(): Uint8Array<ArrayBuffer> {
    const { functions } = this;
    const section = (id: number, items: readonly (readonly number[])[]) => {
      const content = [...leb(items.length), ...items.flat()];
      return [id, ...leb(content.length), ...content];
    };
    const text = (value: string) => [...leb(value.length), ...Array.from(value, (c) => c.charCodeAt(0))];
    const arities = [...new Set(functions.map((one) => one.parameterCount))];
    return Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(
        1,
        arities.map((n) => [0x60, ...leb(n), ...Array<number>(n).fill(TYPES.i32), 0]),
      ),
      ...section(2, [[...text("env"), ...text("memory"), 0x02, 0x00, 1]]),
      ...section(
        3,
        functions.map((one) => leb(arities.indexOf(one.parameterCount))),
      ),
      ...section(
        7,
        functions.map((one) => [...text(one.name), 0x00, ...leb(one.index)]),
      ),
      ...section(
        10,
        functions.map((one) => one.binary()),
      ),
    ]);
  }
}
