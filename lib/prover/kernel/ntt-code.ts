import { SLOTS_END } from "./affine-code";
import { type Func, i32, type Local, type Module, repeatWhile, v128, type WasmCode } from "./assembler";
import { LIMB_BITS, LIMBS, PAIR_BYTES } from "./limbs";

const TERM_AT = SLOTS_END;
const NTT_SLOTS_END = TERM_AT + PAIR_BYTES;
/** Size of a term of the constraints' sums: pointers to A's signal, to B's signal and to the pair of sums. */
export const TERM_BYTES = 12;

const MASK = (1n << BigInt(LIMB_BITS)) - 1n;
const advance = (pointer: Local, by: WasmCode): WasmCode => pointer.set(i32.add(pointer.get, by));

/**
 * (a, b, end of a, roots, stride): for consecutive pairs, a, b = a + root · b, a − root · b (Cooley and Tukey, Math.
 * Comp. 19, 1965). Sums are carried but not reduced: each layer adds at most 7/6 p to their absolute value.
 */
export function butterflies(module: Module, mul: Func): void {
  const f = module.func("butterflies", 5);
  const [a, b, end, root, stride] = f.parameters as [Local, Local, Local, Local, Local];
  const sign = f.hold("v128", v128.const([0n, 0n, -1n, -1n]));
  const mask = f.hold("v128", v128.const([MASK, MASK, MASK, MASK]));
  const [sum, carry] = [f.local("v128"), f.local("v128")];
  const limb = (i: number): WasmCode => {
    const term = v128.load64Twice(i32.const(TERM_AT), 8 * i);
    const both = v128.add32(v128.load64Twice(a.get, 8 * i), v128.sub32(v128.xor(term, sign.get), sign.get));
    const isLast = i === LIMBS - 1;
    return [
      carry.set(i === 0 ? both : v128.add32(both, carry.get)),
      sum.set(isLast ? carry.get : v128.and(carry.get, mask.get)),
      v128.store64Low(a.get, sum.get, 8 * i),
      v128.store64High(b.get, sum.get, 8 * i),
      carry.set(v128.shiftSigned32(carry.get, LIMB_BITS)),
    ];
  };
  f.emit(
    repeatWhile(
      [
        mul.call(b.get, root.get, i32.const(TERM_AT)),
        Array.from({ length: LIMBS }, (_, i) => limb(i)),
        advance(a, i32.const(PAIR_BYTES)),
        advance(b, i32.const(PAIR_BYTES)),
        advance(root, stride.get),
      ],
      i32.lessThan(a.get, end.get),
    ),
  );
}

/** (terms, end, factors): adds factor · (signal of A, signal of B) to the pair of sums of each term. */
export function addTerms(module: Module, mulAdd: Func): void {
  const f = module.func("addTerms", 3);
  const [term, end, factor] = f.parameters as [Local, Local, Local];
  const [first, second] = [f.local("i32"), f.local("i32")];
  const limb = (i: number): WasmCode => {
    const both = v128.load64High(second.get, v128.load64(first.get, 8 * i), 8 * i);
    const held = f.local("v128");
    return [
      held.set(both),
      v128.store64Low(i32.const(TERM_AT), v128.shuffle32(held.get, held.get, [0, 3, 0, 3]), 8 * i),
    ];
  };
  const sums = i32.load(term.get, 8);
  f.emit(
    repeatWhile(
      [
        first.set(i32.load(term.get, 0)),
        second.set(i32.load(term.get, 4)),
        Array.from({ length: LIMBS }, (_, i) => limb(i)),
        mulAdd.call(factor.get, i32.const(TERM_AT), sums, sums),
        advance(factor, i32.const(PAIR_BYTES)),
        advance(term, i32.const(TERM_BYTES)),
      ],
      i32.lessThan(term.get, end.get),
    ),
  );
}

/** Stores the pair at a pointer, with its lanes exchanged, in `TERM_AT`. */
function exchange(f: Func, pair: Local): WasmCode {
  const held = f.local("v128");
  return Array.from({ length: LIMBS }, (_, i) => [
    held.set(v128.load64(pair.get, 8 * i)),
    v128.store64Low(i32.const(TERM_AT), v128.shuffle32(held.get, held.get, [1, 0, 1, 0]), 8 * i),
  ]);
}

/** (pairs, end, out): for consecutive pairs, the product of a pair's elements, in both lanes. */
export function multiplyLanes(module: Module, mul: Func): void {
  const f = module.func("multiplyLanes", 3);
  const [pair, end, out] = f.parameters as [Local, Local, Local];
  f.emit(
    repeatWhile(
      [
        exchange(f, pair),
        mul.call(pair.get, i32.const(TERM_AT), out.get),
        advance(pair, i32.const(PAIR_BYTES)),
        advance(out, i32.const(PAIR_BYTES)),
      ],
      i32.lessThan(pair.get, end.get),
    ),
  );
}

/**
 * (pairs, end, subtrahends, out): the product of each pair's elements minus the subtrahend, converted from Montgomery
 * form.
 */
export function joinProducts(module: Module, mul: Func): void {
  const f = module.func("joinProducts", 4);
  const [pair, end, subtrahend, out] = f.parameters as [Local, Local, Local, Local];
  const difference = Array.from({ length: LIMBS }, (_, i) => {
    const both = v128.sub32(v128.load64(i32.const(TERM_AT), 8 * i), v128.load64(subtrahend.get, 8 * i));
    return v128.store64Low(i32.const(TERM_AT), both, 8 * i);
  });
  f.emit(
    repeatWhile(
      [
        exchange(f, pair),
        mul.call(pair.get, i32.const(TERM_AT), i32.const(TERM_AT)),
        difference,
        mul.call(i32.const(TERM_AT), i32.const(PLAIN_ONE_AT), out.get),
        advance(pair, i32.const(PAIR_BYTES)),
        advance(subtrahend, i32.const(PAIR_BYTES)),
        advance(out, i32.const(PAIR_BYTES)),
      ],
      i32.lessThan(pair.get, end.get),
    ),
  );
}

/** A pair of ones, not in Montgomery form. */
export const PLAIN_ONE_AT = NTT_SLOTS_END;
export const STATIC_END = PLAIN_ONE_AT + PAIR_BYTES;
