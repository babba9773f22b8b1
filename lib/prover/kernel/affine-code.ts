import { type Func, i32, type Local, type Module, repeatWhile, v128, type WasmCode } from "./assembler";
import { LIMBS, PAIR_BYTES } from "./limbs";

/** Size of an addition job: pointers (u32) to the left point, the right point and the sum. */
export const JOB_BYTES = 12;
/** Flag in a pointer to a point: use its negative. */
export const NEGATIVE = 1;

/** The field functions that batches of additions call: those of the base field in G1, of the extension in G2. */
interface FieldFunctions {
  mul: Func;
  mulAdd: Func;
  squareAdd: Func;
}

/** The two groups. In G1 the lanes are two independent additions, in G2 the coordinates of one. */
type Group = "1" | "2";

/** Scratch space for pairs, used by one function at a time. */
const names = ["dx", "dy", "x", "xs", "ny", "t", "u", "slope", "sumX", "sumY"] as const;
type Slot = (typeof names)[number];
export const SLOTS_AT = 1024;
export const SLOTS_END = SLOTS_AT + names.length * PAIR_BYTES;
const slot = (name: Slot): WasmCode => i32.const(SLOTS_AT + names.indexOf(name) * PAIR_BYTES);

/** Offset of the last cache line of a point, or a little more. */
const POINT_END = { "1": PAIR_BYTES - 4, "2": 2 * PAIR_BYTES - 4 } as const;

/**
 * Loads one limb of the points into a vector, x in the low half and y in the high half, with each point's sign applied.
 */
type Load = (limb: number) => WasmCode;

/**
 * Batches of affine additions and doublings that share one inversion (Montgomery's trick: Math. Comp. 48, 1987, section
 * 10.3.1), at six multiplications each. `forward` multiplies the denominators; the caller inverts the product;
 * `backward` does the additions, from the last to the first. Two points with equal x make the product 0, so the caller
 * must keep them out. A sum may overwrite either of its own points.
 */
export class AffineCode {
  constructor(
    private readonly module: Module,
    private readonly group: Group,
    private readonly field: FieldFunctions,
  ) {}

  private get stepBytes(): number {
    return this.group === "1" ? 2 * JOB_BYTES : JOB_BYTES;
  }

  /** (jobs, end, products): products[i + 1] = products[i] · denominator of step i. The first product is given. */
  forward(kind: "add" | "double"): void {
    const f = this.module.func(`${kind}Forward${this.group}`, 3);
    const [job, end, product] = f.parameters as [Local, Local, Local];
    const step = this.step(f, kind, job);
    f.emit(
      repeatWhile(
        [
          step.begin,
          step.touchNext,
          eachLimb((i) => step.denominator(i)),
          this.field.mul.call(product.get, slot("dx"), i32.add(product.get, i32.const(PAIR_BYTES))),
          advance(product, PAIR_BYTES),
          advance(job, this.stepBytes),
        ],
        i32.lessThan(job.get, end.get),
      ),
    );
  }

  /**
   * (jobs, end, products, inverse): does the steps. `inverse` is the inverse of the last product; for doublings, three
   * times the inverse.
   */
  backward(kind: "add" | "double"): void {
    const f = this.module.func(`${kind}Backward${this.group}`, 4);
    const [start, job, products, inverse] = f.parameters as [Local, Local, Local, Local];
    const { mul, mulAdd, squareAdd } = this.field;
    const product = f.hold("i32", i32.add(products.get, i32.mul(this.stepsIn(start, job), i32.const(PAIR_BYTES))));
    const step = this.step(f, kind, job);
    f.emit(
      repeatWhile(
        [
          advance(job, -this.stepBytes),
          advance(product, -PAIR_BYTES),
          step.begin,
          eachLimb((i) => [step.denominator(i), step.numerator(i), step.rest(i)]),
          mul.call(inverse.get, product.get, slot("t")),
          mul.call(inverse.get, slot("dx"), inverse.get),
          kind === "add" ? [] : mul.call(slot("x"), slot("x"), slot("dy")),
          mul.call(slot("dy"), slot("t"), slot("slope")),
          squareAdd.call(slot("slope"), slot("xs"), slot("sumX")),
          eachLimb((i) =>
            v128.store64Low(
              slot("u"),
              v128.sub32(v128.load64(slot("x"), 8 * i), v128.load64(slot("sumX"), 8 * i)),
              8 * i,
            ),
          ),
          mulAdd.call(slot("slope"), slot("u"), slot("ny"), slot("sumY")),
          step.store,
        ],
        i32.lessThan(start.get, job.get),
      ),
    );
  }

  private stepsIn(start: Local, end: Local): WasmCode {
    return [i32.sub(end.get, start.get), i32.const(this.stepBytes), 0x6e];
  }

  private step(f: Func, kind: "add" | "double", job: Local) {
    const [left, right] = [this.points(f, job, 0), this.points(f, job, 4)];
    const [l, value] = [f.local("v128"), f.local("v128")];
    const high = (name: Slot, vector: WasmCode, i: number) => v128.store64High(slot(name), vector, 8 * i);
    const low = (name: Slot, vector: WasmCode, i: number) => v128.store64Low(slot(name), vector, 8 * i);
    const negative = (vector: WasmCode) => v128.sub32(v128.const([0n, 0n]), vector);
    const isAdd = kind === "add";
    return {
      begin: [left.begin, isAdd ? right.begin : []],
      /** Into `dx`: x2 − x1, or 2y. */
      denominator: (i: number): WasmCode =>
        isAdd
          ? [value.set(v128.sub32(right.load(i), left.load(i))), low("dx", value.get, i)]
          : [l.set(left.load(i)), high("dx", v128.add32(l.get, l.get), i)],
      /** Of an addition, into `dy`: y2 − y1. */
      numerator: (i: number): WasmCode => (isAdd ? high("dy", value.get, i) : []),
      touchNext: [left.touchNext, isAdd ? right.touchNext : []],
      /** x1, −x1 − x2 and −y1. */
      rest: (i: number): WasmCode => [
        isAdd ? l.set(left.load(i)) : [],
        low("x", l.get, i),
        high("ny", value.tee(negative(l.get)), i),
        low("xs", v128.sub32(value.get, isAdd ? right.load(i) : l.get), i),
      ],
      store: left.store,
    };
  }

  /** Returns the code that handles the points of a step whose pointers are in the job at `offset`. */
  private points(
    f: Func,
    job: Local,
    offset: number,
  ): { begin: WasmCode; load: Load; store: WasmCode; touchNext: WasmCode } {
    const pointers = (this.group === "1" ? [offset, offset + JOB_BYTES] : [offset]).map((at) => ({
      at,
      pointer: f.local("i32"),
    }));
    const sign = f.local("v128");
    const lanesOf =
      this.group === "1"
        ? [
            [0n, -1n, 0n, 0n],
            [0n, 0n, 0n, -1n],
          ]
        : [[0n, 0n, -1n, -1n]];
    const signs = pointers.map(({ pointer }, i) => {
      const isNegative = i32.sub(i32.const(0), i32.and(pointer.get, i32.const(NEGATIVE)));
      return v128.and(v128.splat32(isNegative), v128.const(lanesOf[i] as bigint[]));
    });
    const begin = [
      pointers.map(({ at, pointer }) => pointer.set(i32.load(job.get, at))),
      sign.set(signs.reduce((a, b) => v128.xor(a, b))),
      pointers.map(({ pointer }) => pointer.set(i32.and(pointer.get, i32.const(~NEGATIVE)))),
    ];
    const [one, two] = pointers.map(({ pointer }) => pointer) as [Local, Local | undefined];
    const load: Load = (i) => {
      const second = (two ?? one).get;
      const both = v128.load64High(second, v128.load64(one.get, 8 * i), 8 * i + (two ? 0 : PAIR_BYTES));
      const signed = v128.sub32(v128.xor(both, sign.get), sign.get);
      return two ? crossed(f, signed) : signed;
    };
    const out = (step: number) => i32.load(job.get, 8 + step * JOB_BYTES);
    const sum = f.local("v128");
    const store = eachLimb((i) => {
      const both = v128.load64High(slot("sumY"), v128.load64(slot("sumX"), 8 * i), 8 * i);
      // The instruction takes the pointer first, so the vector waits in a local.
      return two
        ? [sum.set(crossed(f, both)), v128.store64Low(out(0), sum.get, 8 * i), v128.store64High(out(1), sum.get, 8 * i)]
        : [
            sum.set(both),
            v128.store64Low(out(0), sum.get, 8 * i),
            v128.store64High(out(0), sum.get, 8 * i + PAIR_BYTES),
          ];
    });
    // Prefetches the next job's points. A padding job follows the last one, so the memory is valid; the loaded values
    // are unused.
    const next = pointers.map(({ at }) => i32.and(i32.load(job.get, at + this.stepBytes), i32.const(~NEGATIVE)));
    const touchNext = next.map((pointer) =>
      [0, POINT_END[this.group]].map((byte) => i32.store(slot("t"), i32.load(pointer, byte))),
    );
    return { begin, load, store, touchNext };
  }
}

/** Reorders lanes x1, y1, x2, y2 to x1, x2, y1, y2, and back. */
function crossed(f: Func, vector: WasmCode): WasmCode {
  const held = f.local("v128");
  return v128.shuffle32(held.tee(vector), held.get, [0, 2, 1, 3]);
}

const eachLimb = (code: (limb: number) => WasmCode): WasmCode => Array.from({ length: LIMBS }, (_, i) => code(i));
const advance = (pointer: Local, by: number): WasmCode => pointer.set(i32.add(pointer.get, i32.const(by)));
